/**
 * The last 24 hours of each check in a list. A cell contains letters, which the script draws along the hours in the heading. As a result,
 * rows don't change just because an hour ends.
 */
import type { Actor } from '../../../../domain/actor.ts'
import type { Check } from '../../../../domain/check/check.ts'
import { dayLetters, dayWords, quarterOf } from '../../../../domain/night/day-letters.ts'
import type { NightRow } from '../../../../domain/night/row.ts'
import { latestDay, type NightWindow } from '../../../../domain/night/window.ts'
import type { Instant } from '../../../../lib/time.ts'
import { readRecentRows } from '../../../../services/overview/night.ts'
import { type Html, html } from '../../html.ts'
import type { PageDeps } from '../../page.ts'
import { nightHours } from '../../parts/night/table.ts'

/** The cells, keyed by check id. */
export type DayCells = ReadonlyMap<string, Html>

interface DayReader {
  readonly actor: Actor
  /** IANA time zone from the reader's account settings */
  readonly tz: string
}

/** @param checks the checks to read, usually one part of a list */
export async function readDayCells(
  deps: PageDeps,
  { actor, tz }: DayReader,
  checks: readonly Check[],
  now: Instant,
): Promise<DayCells> {
  const at = now.epochMilliseconds
  const window = latestDay(at, tz)
  const rows = await readRecentRows(deps, actor.project, checks, window, now)
  return new Map(rows.map((row) => [row.check.id, dayCell(row, window, at, tz)]))
}

function dayCell(row: NightRow, window: NightWindow, now: number, tz: string): Html {
  return html`<td data-q=${quarterOf(now)} data-r=${dayLetters(row, window, now)}>${dayWords(row, now, tz)}`
}

/** Renders the column's heading. `data-from` is the column's first quarter hour, and `data-r` is the current quarter hour. */
export function dayHead(now: number, tz: string): Html {
  const window = latestDay(now, tz)
  return html`<th scope="col" id="hours" data-from="${quarterOf(window.from)}" data-r="${quarterOf(now)}"><span class="sr">Last 24 hours</span>${nightHours({ hours: window.hours.filter((_, index) => index % 3 === 0) })}`
}
