/** Reads settings by name, with their values and origins. Collects problems, and the values that may be shown. */
import { messageOf } from '../lib/errors.ts'
import type { Parse } from './parsers.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ShownSetting {
  readonly name: string
  /** value without secrets; null if the setting has neither a value nor a default */
  readonly value: string | null
  readonly from: 'environment' | 'file' | 'default'
}

/** @returns false if the setting has its default value or was not read */
export function isGiven(shown: readonly ShownSetting[], name: string): boolean {
  return shown.some((setting) => setting.name === name && setting.from !== 'default')
}

export class Settings {
  /** one line per problem: the setting, what is wrong and what to use instead */
  readonly problems: string[] = []
  /** one line for each valid value that is probably a mistake */
  readonly warnings: string[] = []
  readonly #readFile: (path: string) => string
  readonly #shown = new Map<string, ShownSetting>()

  /** @param readFile returns the text of a file that a setting names */
  constructor(
    readonly environment: Environment,
    readFile: (path: string) => string,
  ) {
    this.#readFile = readFile
  }

  /** All settings read so far. */
  get shown(): ShownSetting[] {
    return [...this.#shown.values()]
  }

  /** Names of the settings read so far, each followed by its `NAME_FILE`. */
  get names(): string[] {
    return [...this.#shown.keys()].flatMap((name) => [name, `${name}_FILE`])
  }

  /**
   * Reads a setting. An empty value counts as unset. An invalid value is replaced by the default, so that dependent settings are not
   * reported as well.
   */
  get<T>(name: string, fallback: string, parse: Parse<T>): T
  get<T>(name: string, fallback: null, parse: Parse<T>): T | null
  get<T>(name: string, fallback: string | null, parse: Parse<T>): T | null {
    try {
      const { value, from } = this.#read(name, fallback)
      this.#shown.set(name, { name, value: value === null ? null : withoutSecret(name, value), from })
      return value === null ? null : parse(value)
    } catch (error) {
      const setting = error instanceof UnreadableFile ? `${name}_FILE` : name
      this.problems.push(`${setting}: ${messageOf(error)}`)
      return fallback === null ? null : parse(fallback)
    }
  }

  /** Reads a setting's value. A `NAME_FILE` takes precedence, as in Healthchecks. */
  #read(name: string, fallback: string | null): { value: string | null; from: ShownSetting['from'] } {
    const file = this.environment[`${name}_FILE`]
    if (file) return { value: this.#readValue(file), from: 'file' }
    const given = this.environment[name]
    return given ? { value: given, from: 'environment' } : { value: fallback, from: 'default' }
  }

  #readValue(path: string): string {
    try {
      return this.readNamed(path).trim()
    } catch (error) {
      throw new UnreadableFile(messageOf(error))
    }
  }

  /** @returns the text of a file that a setting names. @throws Error that says what to use instead */
  readNamed(path: string): string {
    try {
      return this.#readFile(path)
    } catch (error) {
      throw new Error(`cannot read ${path}; use a file that this user may read (${messageOf(error)})`)
    }
  }
}

/** Thrown if the file that a `NAME_FILE` names cannot be read. */
class UnreadableFile extends Error {}

/** First characters of a certificate or key in PEM format. */
export const PEM = '-----BEGIN '
const SECRET_NAME = /(?:KEY|TOKEN|AUTH|PASSWORD|SECRET)$/

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/**
 * Hides secrets. In a URL, hides only the login, which is the part up to the last @. The login may consist of a token only, and may not be
 * percent-encoded.
 */
function withoutSecret(name: string, value: string): string {
  if (isSecretName(name) || value.startsWith(PEM)) return '(set)'
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/).*@/is, '$1(set)@')
}
