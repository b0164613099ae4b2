import { readConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/settings.ts'
import { Refusal } from '../../src/domain/errors.ts'

/** Returns the problems that `readConfig` reports, one line each. */
export function problems(environment: Environment, readFile?: (path: string) => string): readonly string[] {
  try {
    readConfig(environment, readFile)
    return []
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'settings') throw error
    return error.data.problems ?? []
  }
}
