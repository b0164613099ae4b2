/** Work that is requested often and done rarely: at once, and once more for requests in the meantime. */
interface Paced {
  ask(): void
  /** Does pending work at once. */
  flush(): void
}

/** @param work called at most once in this many milliseconds; it must not throw */
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
