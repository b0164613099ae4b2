/** How long a run of a command may take, as far as it says so itself: `timeout 3h job` ends after three hours. */

import { readSpanOfSystemd } from '../span.ts'
import { type Begun, begunBy, type Link } from './begun-command.ts'
import { withoutOpeners } from './job-name.ts'
import { optionValue } from './program-options.ts'
import { shellCommands } from './shell-commands.ts'
import { spanOf } from './start-delay.ts'

/** Shells within shells. */
const DEPTH_LIMIT = 5

/** @returns seconds; 0 if no limit is known. Limits of several commands are added */
export function runLimit(command: string): number {
  return Math.ceil(limitIn(command, DEPTH_LIMIT))
}

/** As {@link runLimit}, of a program that no shell begins. */
export function limitOfRun(begun: Begun | null, depth = DEPTH_LIMIT): number {
  const limits = (begun?.chain ?? []).map(limitOf).filter((limit) => limit > 0)
  if (limits.length > 0) return Math.min(...limits)
  return begun?.kind === 'line' && depth > 0 ? limitIn(begun.line, depth - 1) : 0
}

function limitIn(line: string, depth: number): number {
  return shellCommands(line).reduce((sum, { words }) => sum + limitOfRun(begunBy(withoutOpeners(words)), depth), 0)
}

/** Seconds; 0 for none. What ends a run also waits before it kills it. */
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

/** A span as `sleep` takes it, too; 0 if it cannot be told. */
function seconds(text: string | null): number {
  const span = text ? spanOf(text, new Map()) : 0
  return Number.isFinite(span) ? span : 0
}
