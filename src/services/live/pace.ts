/** How fast open pages are told what changes. */

import { ROWS_PER_UPDATE } from '../common/ports/live-update.ts'
import type { Pace } from './project-model.ts'

/** The least time between two updates of a project, so at most four messages a second and reader. */
const UPDATE_EVERY_MS = 250
/** What live pages cost together is limited, however many are open: messages a second, and rows made for them. */
const MESSAGES_PER_SECOND = 200
const ROWS_PER_SECOND = 400
/** A project with many readers and changes gets a few rows at least: states that change come first. */
const ROWS_AT_LEAST = 5
/** Of the time, to read all projects again that somebody watches. */
const READ_AGAIN_SHARE = 0.2

/** Of each project. @param readers open streams, of all projects @param projects those that somebody watches, at least one */
export function paceOf(readers: number, projects: number): Pace {
  const pauseMs = Math.max(UPDATE_EVERY_MS, (readers * 1_000) / MESSAGES_PER_SECOND)
  const rows = Math.floor((ROWS_PER_SECOND * pauseMs) / 1_000 / projects)
  const rest = projects / READ_AGAIN_SHARE - 1
  return { pauseMs, rows: Math.min(ROWS_PER_UPDATE, Math.max(ROWS_AT_LEAST, rows)), rest }
}
