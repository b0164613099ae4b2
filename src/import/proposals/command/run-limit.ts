/** Determines the time limit that a command sets for itself. For example, `timeout 3h job` ends after three hours. */

import { readSpanOfSystemd } from '../span.ts'
import { type Begun, begunBy, type Link } from './begun-command.ts'
import { withoutOpeners } from './job-name.ts'
import { optionValue } from './program-options.ts'
import { shellCommands } from './shell-commands.ts'
import { spanOf } from './start-delay.ts'

/** Maximum number of nested shells. */
const DEPTH_LIMIT = 5

/** @returns the limit in seconds; 0 if none is known; the limits of several commands are added */
export function runLimit(command: string): number {
  return Math.ceil(limitIn(command, DEPTH_LIMIT))
}

/** Does the same as {@link runLimit} for a program that is started without a shell. */
export function limitOfRun(begun: Begun | null, depth = DEPTH_LIMIT): number {
  const limits = (begun?.chain ?? []).map(limitOf).filter((limit) => limit > 0)
  if (limits.length > 0) return Math.min(...limits)
  return begun?.kind === 'line' && depth > 0 ? limitIn(begun.line, depth - 1) : 0
}

function limitIn(line: string, depth: number): number {
  return shellCommands(line).reduce((sum, { words }) => sum + limitOfRun(begunBy(withoutOpeners(words)), depth), 0)
}

/** Returns the limit in seconds, or 0 if there is none. The limit includes the delay before the program kills a run that does not stop. */
function limitOf({ program, options, skipped }: Link): number {
  switch (program) {
    case 'timeout':
    case 'gtimeout': {
      const limit = seconds(skipped[0] ?? null)
      return limit === 0 ? 0 : limit + seconds(optionValue(options, /^(?:-[fpv]*k|--kill-after(?:=|$))(.*)$/))
    }
    case 'timelimit': {
      const limit = seconds(optionValue(options, /^-[pq]*t(.*)$/))
      return limit === 0 ? 0 : limit + seconds(optionValue(options, /^-[pq]*T(.*)$/))
    }
    case 'systemd-run': {
      const setting = options.find((option) => /RuntimeMaxSec=/.test(option))
      return readSpanOfSystemd(setting?.replace(/^.*RuntimeMaxSec=/, '') ?? '') ?? 0
    }
    default:
      return 0
  }
}

/** Parses a duration in any format that `sleep` accepts. Returns seconds, or 0 if the text cannot be parsed. */
function seconds(text: string | null): number {
  const span = text ? spanOf(text, new Map()) : 0
  return Number.isFinite(span) ? span : 0
}
