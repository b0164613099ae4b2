/** A compose file, read as Docker Compose reads it, as far as the set-ups need it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Service {
  readonly environment: Readonly<Record<string, string>>
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

/** Reads the services by their names. The variables of the file come from `.env` beside it. @throws if a required one is missing */
export function readCompose(path: string): Readonly<Record<string, Service>> {
  const variables = readVariables(join(dirname(path), '.env'))
  const text = readFileSync(path, 'utf8').replace(
    /\$\{(\w+)(?:(:?[-?])([^}]*))?\}/g,
    (_, name, rule = '-', rest = '') => {
      const value = variables[name]
      if (value !== undefined && (value !== '' || !rule.startsWith(':'))) return value
      if (rule.endsWith('?')) throw new Error(`${name}: ${rest}`)
      return rest
    },
  )
  const { services } = Bun.YAML.parse(text) as { services: Record<string, Partial<Service>> }
  return Object.fromEntries(
    Object.entries(services).map(([name, { environment = {}, entrypoint = [], command = [] }]) => [
      name,
      { environment: texts(environment), entrypoint, command },
    ]),
  )
}

function readVariables(path: string): Readonly<Record<string, string>> {
  if (!existsSync(path)) return {}
  const lines = readFileSync(path, 'utf8').split('\n')
  return Object.fromEntries(lines.filter((line) => line.includes('=')).map((line) => line.split(/=(.*)/, 2)))
}

/** Converts what YAML reads as numbers, and an empty value, to the text of a variable. */
function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value ?? '')]))
}
