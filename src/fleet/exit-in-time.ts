/** Ends a process of the exchange, also while the lookup of a host name hangs. */

/**
 * process.exit waits for libuv's threads. A lookup by getaddrinfo, as for Redis, occupies one until the resolver responds
 * or is given up, which takes 10 s and more.
 */
export function exitInTime(exitCode: number): never {
  // Registered last, so that it runs after the listeners that write the last lines and stop the sandbox.
  process.once('exit', () => {
    if (process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap')) replaceProcess(exitCode);
  });
  process.exit(exitCode);
}

/** execve ends all threads and keeps the process id. SIGKILL would, too, but an orderly stop has exit code 0. */
function replaceProcess(exitCode: number): void {
  process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${exitCode})`], {
    ...process.env,
    NODE_OPTIONS: '',
  });
}
