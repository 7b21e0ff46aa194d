/** The console: navigation and the page that the URL names, or the login. */
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Session } from '../../contract/console-api.ts';
import './app.css';
import { Auctions } from './auctions.tsx';
import { Errors } from './errors.tsx';
import { Live } from './live.tsx';
import { Login } from './login.tsx';
import { Partners } from './partners.tsx';
import { Playground } from './playground/playground.tsx';
import { Reference } from './reference.tsx';
import { Failed, Loading } from './states.tsx';
import { type PageName, pageNames, type Route, useRoute } from './use-route.ts';
import { useSession } from './use-session.ts';

const titles: Record<PageName, string> = {
  playground: 'Playground',
  live: 'Live',
  partners: 'Partners',
  auctions: 'Auctions',
  errors: 'Errors',
  reference: 'Reference',
};

function App() {
  const { session, error, load } = useSession();
  // The login form had the focus.
  const isAfterLogin = useRef(false);
  const wasOpen = useRef(false);
  if (session?.loginRequired) isAfterLogin.current = true;
  else if (session) wasOpen.current = true;
  const route = useRoute();
  if (error) return <Failed error={error} retry={load} />;
  if (!session) return <Loading />;
  if (session.loginRequired) return <Login hasEnded={wasOpen.current} onLogin={load} />;
  return (
    <>
      <Header current={route.page} version={session.version} />
      <Main route={route} session={session} isAfterLogin={isAfterLogin.current} />
    </>
  );
}

const Header = ({ current, version }: { current: PageName; version: string }) => (
  <header>
    <p class="brand">
      Gavel <small>{version}</small>
    </p>
    <nav aria-label="Pages">
      {pageNames.map((page) => (
        <a
          key={page}
          href={`#/${page}`}
          data-testid={`nav-${page}`}
          {...(page === current ? { 'aria-current': 'page' as const } : {})}
        >
          {titles[page]}
        </a>
      ))}
    </nav>
  </header>
);

interface MainProps {
  route: Route;
  session: Session;
  isAfterLogin: boolean;
}

function Main({ route: { page, query }, session, isAfterLogin }: MainProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(isAfterLogin ? undefined : page);
  useEffect(() => {
    document.title = `${titles[page]} – Gavel console`;
    // A screen reader continues at the new page, but not when the console opens without a login.
    if (shown.current !== page) heading.current?.focus();
    shown.current = page;
  }, [page]);
  return (
    <main>
      <h1 tabIndex={-1} ref={heading}>
        {titles[page]}
      </h1>
      {page === 'playground' && <Playground session={session} />}
      {page === 'live' && <Live />}
      {page === 'partners' && <Partners />}
      {page === 'auctions' && <Auctions id={query.get('id') ?? ''} />}
      {page === 'errors' && <Errors />}
      {page === 'reference' && <Reference />}
    </main>
  );
}

render(<App />, document.querySelector('#app')!);
