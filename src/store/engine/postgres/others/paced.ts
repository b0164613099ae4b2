/**
 * Limits how often requested work is done. The first request starts the work immediately. All requests that arrive before the next run
 * share that run.
 */
interface Paced {
  ask(): void
  /** Does pending work immediately. */
  flush(): void
}

/** @param work called at most once every `everyMs` milliseconds; must not throw */
export function createPaced(everyMs: number, work: () => void): Paced {
  let pause: ReturnType<typeof setTimeout> | undefined
  let isAsked = false
  const begin = () => {
    isAsked = false
    pause = setTimeout(() => {
      pause = undefined
      if (isAsked) begin()
    }, everyMs)
    pause.unref()
    work()
  }
  return {
    ask() {
      if (pause === undefined) begin()
      else isAsked = true
    },
    flush() {
      if (!isAsked) return
      isAsked = false
      work()
    },
  }
}
