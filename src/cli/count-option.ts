/** Options that limit how many rows are printed. */
import { Refusal } from '../domain/errors.ts'
import type { Values } from './command.ts'

export const COUNT_MAX = 1000

/** @param name the name of the option. @throws Refusal `out-of-range` */
export function readCount(values: Values, name: string): number {
  const given = Number(values[name])
  if (Number.isInteger(given) && given >= 1 && given <= COUNT_MAX) return given
  throw new Refusal('out-of-range', `--${name} ${values[name]} is not valid`, { minimum: 1, maximum: COUNT_MAX })
}
