/** The curl command survives a shell. */
import { expect, test } from '@jest/globals';
import { curlCommand, shellQuote } from '../../src/console/logic/curl-command.ts';

test('a single quote is quoted', () => {
  expect(shellQuote(`it's`)).toBe(String.raw`'it'\''s'`);
});

test('what a shell would expand stays in single quotes', () => {
  expect(shellQuote('$(rm) `x` "y" \\')).toBe('\'$(rm) `x` "y" \\\'');
});

test('the request is sent in test mode', () => {
  expect(curlCommand('http://127.0.0.1:8080/openrtb2', '{"id":"1"}')).toBe(
    [
      String.raw`curl -i 'http://127.0.0.1:8080/openrtb2' \ `.trim(),
      String.raw`  -H 'Content-Type: application/json' \ `.trimEnd(),
      `  --data-raw '{"id":"1","test": 1}'`,
    ].join('\n'),
  );
});

test('a byte order mark does not prevent test mode', () => {
  expect(curlCommand('http://a.example', '\uFEFF{"id":"1"}')).toContain('"test": 1');
});

test.each(['{"id": "1", "test": 1}', '{"test": "1"}', '{"id": ', '[]', 'null'])('%s is sent as it is', (body) => {
  expect(curlCommand('http://a.example', body)).toContain(`--data-raw '${body}'`);
});

test('a body beyond the length of an argument comes from standard input', () => {
  const body = `{"test":1,"id":"${'é'.repeat(50_000)}"}`;
  const command = curlCommand('http://a.example', body);
  expect(command.endsWith(` --data-binary @- <<'EOF'\n${body}\nEOF`)).toBe(true);
  expect(curlCommand('http://a.example', `EOF\n${body}`)).toContain(`<<'EOF_'\nEOF\n`);
});
