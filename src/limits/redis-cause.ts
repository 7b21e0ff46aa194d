/** Why Redis cannot be used, in plain words instead of those of ioredis. */

const plainWords: readonly [RegExp, string][] = [
  [
    /^(Stream isn't writeable|Cluster isn't ready|Connection is closed|None of startup nodes)/,
    'not connected to Redis',
  ],
  [
    /^(Reached the max retries per request|Command aborted due to connection close)/,
    'the connection to Redis was lost',
  ],
  [/^(Socket timeout|Command timed out|no response within)/, 'Redis did not respond in time'],
];

/** Other messages are those of Redis or of the operating system, such as `NOAUTH …` or `connect ECONNREFUSED …`. */
export function redisCause(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return plainWords.find(([pattern]) => pattern.test(message))?.[1] ?? message;
}
