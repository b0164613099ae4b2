/** Days as a bar: green, with some red or amber where there was downtime. */
import type { DayLook } from '../../../domain/check/up-and-down.ts'
import { type Html, html } from '../html.ts'
import { counted } from './text.ts'

const DAY = 10
const WIDTH = 6.6
const HEIGHT = 32
/** Of the amber part of a day with some downtime. */
const PART = 18

const CLASSES = { up: '', partly: 'pt', down: 'dn', none: 'no' } as const

/** @param looks oldest first, the last one today; null: there was nothing to watch */
export function daysBar(looks: readonly (DayLook | null)[]): Html {
  const shapes = new Map<string, string>()
  const draw = (name: string, shape: string) => shapes.set(name, (shapes.get(name) ?? '') + shape)
  for (const [index, look] of looks.entries()) {
    const x = index * DAY
    if (look !== 'partly') draw(CLASSES[look ?? 'none'], `M${x} 0h${WIDTH}v${HEIGHT}h-${WIDTH}z`)
    else {
      draw(CLASSES.up, `M${x} 0h${WIDTH}v${HEIGHT - PART - 2}h-${WIDTH}z`)
      draw(CLASSES.partly, `M${x} ${HEIGHT - PART}h${WIDTH}v${PART}h-${WIDTH}z`)
    }
  }
  const paths = [...shapes].map(([name, path]) => html`<path${name !== '' && html` class="${name}"`} d="${path}"/>`)
  return html`<svg class="days" viewBox="0 0 ${looks.length * DAY} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${words(looks)}">${paths}</svg>`
}

/** `90 days: 87 without downtime, 2 with some, 1 down` */
function words(looks: readonly (DayLook | null)[]): string {
  const number = (look: DayLook | null) => looks.filter((each) => each === look).length
  const parts = [
    `${number('up')} without downtime`,
    ...(number('partly') > 0 ? [`${number('partly')} with some`] : []),
    ...(number('down') > 0 ? [`${number('down')} down`] : []),
    ...(number(null) > 0 ? [`${number(null)} before the check was created`] : []),
  ]
  return `${counted(looks.length, 'day', 'days')}: ${parts.join(', ')}`
}
