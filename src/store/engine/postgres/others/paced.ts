/** Work that is asked for often and done seldom: at once, and once more for what was asked meanwhile. */
interface Paced {
  ask(): void
  /** Does at once what was asked and waits. */
  flush(): void
}

/** @param work is called at most once in so many milliseconds; it must not throw */
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
