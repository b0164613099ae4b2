/** Creates errors about the command line, which cause exit status 2. The hint says what to do next. */
import { Refusal } from '../domain/errors.ts'

/** Returns the error for an unknown or incomplete command line. */
export function usageError(message: string, hint: string): Refusal {
  return new Refusal('usage', message, { hint })
}

/** Returns the error for an invalid option or argument. */
export function optionError(message: string, hint: string): Refusal {
  return new Refusal('option-invalid', message, { hint })
}
