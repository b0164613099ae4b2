/** Errors in a command line, with exit status 2; `hint` says what to do next. */
import { Refusal } from '../domain/errors.ts'

/** A command line that no command understands, or that lacks something. */
export function usageError(message: string, hint: string): Refusal {
  return new Refusal('usage', message, { hint })
}

/** An option or an argument that is not valid. */
export function optionError(message: string, hint: string): Refusal {
  return new Refusal('option-invalid', message, { hint })
}
