/** Waits that end even if their work never does. The work then continues, and its result is ignored. */

/** @param late creates the error @throws it if the work takes longer */
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

/** @param stopped creates the error @throws it as soon as the signal is aborted */
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
