/** What went wrong, for a person or for a program, on standard error. */
import { ConfigError } from '../config.ts'
import { Refusal, UserError } from '../domain/errors.ts'
import { oneLine, printable } from '../domain/text.ts'
import { UsageError } from './arguments.ts'

export interface Complaint {
  readonly error: string
  /** one line each, where there are several things wrong or to choose from */
  readonly problems?: readonly string[]
  /** what to do next; null: nothing that is not in the error */
  readonly hint: string | null
  readonly status: number
}

const EXIT_FAILURE = 1
/** for mistakes in the command line or in the settings */
const EXIT_USAGE = 2

/** @throws the error itself when it is a fault of ours */
export function complaintOf(error: unknown): Complaint {
  if (error instanceof ConfigError) {
    const { problems } = error
    return { error: 'the settings are not valid', problems, hint: null, status: EXIT_USAGE }
  }
  if (error instanceof UsageError || error instanceof UserError) {
    const { message, problems, hint = null } = error
    const status = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILURE
    return { error: message, ...(problems.length > 0 ? { problems } : {}), hint, status }
  }
  if (error instanceof Refusal) {
    const hint = error.cause instanceof Error ? error.cause.message : null
    return { error: error.message, hint, status: EXIT_FAILURE }
  }
  throw error
}

/** @returns the exit status */
export function complain({ status, ...complaint }: Complaint, isJson: boolean): number {
  process.stderr.write(`${isJson ? JSON.stringify(complaint) : inWords(complaint)}\n`)
  return status
}

function inWords({ error, problems = [], hint }: Omit<Complaint, 'status'>): string {
  const lines = [
    oneLine(error) + (problems.length > 0 ? ':' : ''),
    ...problems.map((problem) => `  ${printable(problem)}`),
    ...(hint === null ? [] : [`→ ${oneLine(hint)}`]),
  ]
  return lines.join('\n')
}
