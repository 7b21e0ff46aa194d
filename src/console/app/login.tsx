/** Asks for the admin token. The server keeps it in a cookie that scripts cannot read. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { asSentence } from '../logic/format.ts';
import { login } from './api-client.ts';

interface Props {
  /** The console was open before. */
  hasEnded: boolean;
  onLogin: () => void;
}

export function Login({ hasEnded, onLogin }: Props) {
  const { token, setToken, problem, isBusy, submit } = useLogin(onLogin);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = 'Log in – Gavel console';
    field.current?.focus();
  }, []);
  return (
    <main class="login">
      <h1>Gavel console</h1>
      {hasEnded && (
        <p id="session-ended" data-testid="session-ended">
          The session has ended. Log in again.
        </p>
      )}
      <form onSubmit={(event) => void submit(event)} data-testid="login">
        <label for="token">Admin token</label>
        <input
          id="token"
          type="password"
          autocomplete="current-password"
          required
          ref={field}
          {...(hasEnded ? { 'aria-describedby': 'session-ended' } : {})}
          value={token}
          data-testid="login-token"
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isBusy} data-testid="login-submit">
          Log in
        </button>
        {problem && (
          <p role="alert" class="error" data-testid="login-problem">
            {problem}
          </p>
        )}
      </form>
    </main>
  );
}

function useLogin(onLogin: () => void) {
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsBusy(true);
    try {
      if (await login(token)) return onLogin();
      setProblem('The token is wrong. It is the value of ADMIN_TOKEN.');
    } catch (error) {
      setProblem(asSentence((error as Error).message));
    } finally {
      setIsBusy(false);
    }
  };
  return { token, setToken, problem, isBusy, submit };
}
