/** Formats days and times of day for pages, in a time zone. */

import { LRUCache } from 'lru-cache'
import { atMost } from '../../../../lib/caches/at-most.ts'
import type { Instant } from '../../../../lib/time.ts'
import { exactWords } from '../../../../lib/time-words.ts'
import { type Html, html } from '../../html.ts'

export interface Clock {
  /** returns a day such as `17 Nov`, or `17 Nov 2025` if it is in another year */
  readonly day: (at: Instant) => string
  /** returns a time such as `04:30` */
  readonly time: (at: Instant) => string
  /** returns a day such as `Wed 18 Nov` */
  readonly weekdayDay: (at: Instant) => string
  /** returns a time such as `Wed 18 Nov, 03:30` */
  readonly weekdayTime: (at: Instant) => string
  /** whether the instant is on the current day */
  readonly isToday: (at: Instant) => boolean
}

/** @param tz IANA name of the time zone */
export function createClock(now: Instant, tz: string): Clock {
  const { dayOfYear, dated, weekday, year, time } = formats.memo(tz)
  const today = dated(now)
  const thisYear = year(now)
  const day = (at: Instant) => (year(at) === thisYear ? dayOfYear(at) : dated(at))
  const weekdayDay = (at: Instant) => `${weekday(at)} ${day(at)}`
  return {
    day,
    time,
    weekdayDay,
    weekdayTime: (at) => `${weekdayDay(at)}, ${time(at)}`,
    isToday: (at) => dated(at) === today,
  }
}

/** Formatters by time zone. They are cached, because creating a formatter takes hundreds of times as long as using it. */
const formats = new LRUCache<string, ReturnType<typeof makeFormats>>({ ...atMost(50), memoMethod: makeFormats })

function makeFormats(tz: string) {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: tz })
    return (at: Instant) => formatter.format(at.epochMilliseconds)
  }
  return {
    dayOfYear: format({ day: 'numeric', month: 'short' }),
    dated: format({ day: 'numeric', month: 'short', year: 'numeric' }),
    weekday: format({ weekday: 'short' }),
    year: format({ year: 'numeric' }),
    time: format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
  }
}

/** Renders text for an instant, with the exact time as a tooltip. @param tz IANA name of the time zone */
export function timeTag(at: Instant, words: string, tz: string): Html {
  return html`<time datetime="${at.toString({ smallestUnit: 'second' })}" title="${exactWords(at.epochMilliseconds, tz)}">${words}</time>`
}
