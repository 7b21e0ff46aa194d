/** The winning ad as a card. Texts are text; images load only on a click; only http and https URLs become links. */
import { useState } from 'preact/hooks';
import { imageUrl, linkUrl } from '../../logic/ad-urls.ts';
import { formatPrice } from '../../logic/format.ts';
import { type NativeAd, readNativeAd } from '../../logic/read-native-ad.ts';
import type { WinningBid } from '../../logic/read-result.ts';

export function AdPreview({ bid, request }: { bid: WinningBid; request: string }) {
  const ad = readNativeAd(bid.adm, request);
  return (
    <>
      <h3>Winning ad of impression {bid.impid}</h3>
      <article class="ad" data-testid="ad-preview">
        {ad ? <Card ad={ad} /> : <p>The markup is not JSON.</p>}
        <footer class="quiet">
          {bid.seat} at {formatPrice(bid.price, bid.currency)}
          {bid.advertiser && ` for ${bid.advertiser}`}
        </footer>
      </article>
    </>
  );
}

const Card = ({ ad }: { ad: NativeAd }) => (
  <>
    <p class="sponsored">{ad.sponsoredBy ? `Sponsored by ${ad.sponsoredBy}` : 'Sponsored'}</p>
    {ad.images.map((image, index) => (
      <AdImage key={index} {...image} />
    ))}
    {ad.hasVideo && <p class="placeholder">Video</p>}
    {ad.title && <h4>{ad.title}</h4>}
    {ad.description && <p>{ad.description}</p>}
    {ad.facts.length > 0 && (
      <dl>
        {ad.facts.map(({ label, value }, index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )}
    {ad.callToAction && <p class="call-to-action">{ad.callToAction}</p>}
    {ad.clickUrl && (
      <p class="quiet">
        Leads to <Url text={ad.clickUrl} />
      </p>
    )}
  </>
);

function Url({ text }: { text: string }) {
  const href = linkUrl(text);
  if (href === undefined) return <code>{text}</code>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  );
}

function AdImage({ label, url, size }: NativeAd['images'][number]) {
  const [state, setState] = useState<'idle' | 'shown' | 'failed'>('idle');
  const src = imageUrl(url);
  if (state === 'shown')
    return <img src={src} alt={label} referrerpolicy="no-referrer" onError={() => setState('failed')} />;
  return (
    <div class="placeholder">
      <p>
        {label} {size}
      </p>
      <p>
        <Url text={url} />
      </p>
      {src === undefined ? (
        <p>It is not loaded: the URL is not https.</p>
      ) : (
        <button type="button" onClick={() => setState('shown')}>
          Load image
        </button>
      )}
      {state === 'failed' && <p role="status">The image could not be loaded.</p>}
    </div>
  );
}
