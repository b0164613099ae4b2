/** Determines how often updates are sent to open pages. */

import { ROWS_PER_UPDATE } from '../common/ports/live-update.ts'
import type { Pace } from './project-model.ts'

/** Minimum time between two updates of a project, in milliseconds. A reader therefore gets at most four messages per second. */
const UPDATE_EVERY_MS = 250
/** Limits on the total cost of live pages: messages per second, and rows rendered for these messages. */
const MESSAGES_PER_SECOND = 200
const ROWS_PER_SECOND = 400
/**
 * Minimum number of rows that an update may contain, regardless of the number of watched projects. Checks whose state changed come first.
 */
const ROWS_AT_LEAST = 5
/** Maximum fraction of the time that may be spent on rereading watched projects. */
const READ_AGAIN_SHARE = 0.2

/**
 * Returns the pace for each project.
 * @param readers number of open streams across all projects
 * @param projects number of watched projects, at least one
 */
export function paceOf(readers: number, projects: number): Pace {
  const pauseMs = Math.max(UPDATE_EVERY_MS, (readers * 1_000) / MESSAGES_PER_SECOND)
  const rows = Math.floor((ROWS_PER_SECOND * pauseMs) / 1_000 / projects)
  const rest = projects / READ_AGAIN_SHARE - 1
  return { pauseMs, rows: Math.min(ROWS_PER_UPDATE, Math.max(ROWS_AT_LEAST, rows)), rest }
}
