/** Waits that end although what they wait for may never come. It goes on then, and nobody hears of it. */

/** @param late makes the error @throws it if the work takes longer */
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

/** @param stopped makes the error @throws it as soon as the signal comes */
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
