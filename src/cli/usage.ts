/** Errors in a command line, with exit status 2; `hint` contains the next step. */
import { Refusal } from '../domain/errors.ts'

/** Returns the error of a command line that is unknown or incomplete. */
export function usageError(message: string, hint: string): Refusal {
  return new Refusal('usage', message, { hint })
}

/** Returns the error of an option or an argument that is not valid. */
export function optionError(message: string, hint: string): Refusal {
  return new Refusal('option-invalid', message, { hint })
}
