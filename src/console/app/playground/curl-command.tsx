/** The request as a curl command, with a button that copies it. */
import { useEffect, useState } from 'preact/hooks';
import { curlCommand } from '../../logic/curl-command.ts';

export function CurlCommand({ endpoint, body, withKey }: { endpoint: string; body: string; withKey: boolean }) {
  const [copied, setCopied] = useState('');
  const command = curlCommand(endpoint, body, withKey);
  // What was copied is then another command.
  useEffect(() => setCopied(''), [command]);
  const copy = () => {
    // Without HTTPS or localhost the browser has no clipboard for pages.
    const written = navigator.clipboard?.writeText(command) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => setCopied('Copied.'),
      () => setCopied('The browser does not permit it; select the text and copy it.'),
    );
  };
  return (
    <details class="curl">
      <summary>As curl</summary>
      <pre tabIndex={0} data-testid="curl">
        {command}
      </pre>
      <button type="button" onClick={copy} data-testid="copy-curl">
        Copy
      </button>{' '}
      <span role="status">{copied}</span>
    </details>
  );
}
