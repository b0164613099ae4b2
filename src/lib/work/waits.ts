/**
 * Limits how long callers wait for work that may never end. After the limit, the work continues in the background and its result is
 * ignored.
 */

/**
 * @param late creates the error to throw
 * @throws the error created by `late` if the work takes longer than the deadline
 */
export async function withDeadline<Result>(
  milliseconds: number,
  work: PromiseLike<Result>,
  late: () => Error,
): Promise<Result> {
  const timer = Promise.withResolvers<never>()
  const timeout = setTimeout(() => timer.reject(late()), milliseconds)
  try {
    return await Promise.race([work, timer.promise])
  } finally {
    clearTimeout(timeout)
  }
}

/**
 * @param stopped creates the error to throw
 * @throws the error created by `stopped` as soon as the signal is aborted
 */
export async function unlessStopped<Result>(
  signal: AbortSignal,
  work: PromiseLike<Result>,
  stopped: () => Error,
): Promise<Result> {
  const stop = Promise.withResolvers<never>()
  const end = () => stop.reject(stopped())
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([stop.promise, work])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
