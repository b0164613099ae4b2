/** Replaces `{{variable}}` in requests and expectations, with the functions that recorded cases use. */
import { createHash } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import { isArray, isObject, type Json } from './case.ts'

export type Variables = Readonly<Record<string, string>>

/** Error for a variable that no earlier step captured. */
export class MissingVariable extends Error {
  constructor(name: string) {
    super(`no value for {{${name}}}`)
    this.name = 'MissingVariable'
  }
}

const PLACE = /\{\{([^{}]+)\}\}/g

/** @param encode function for each value, for texts that are regular expressions */
export function fill(text: string, variables: Variables, encode = (value: string) => value): string {
  return text.replace(PLACE, (_place, name: string) => {
    const colon = name.lastIndexOf(':')
    return encode(call(name.slice(0, Math.max(colon, 0)), name.slice(colon + 1), variables))
  })
}

/** Fills every string inside a JSON value as {@link fill} does, including member names. */
export function fillAll(value: Json, variables: Variables): Json {
  if (typeof value === 'string') return fill(value, variables)
  if (isArray(value)) return value.map((item) => fillAll(item, variables))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [fill(key, variables), fillAll(item, variables)]),
  )
}

/** Calls a function of the template. `name` is empty for a bare variable. */
function call(name: string, argument: string, variables: Variables): string {
  const value = (variable: string): string => {
    const found = Object.hasOwn(variables, variable) ? variables[variable] : undefined
    if (found === undefined) throw new MissingVariable(variable)
    return found
  }
  switch (name) {
    case '':
      return value(argument)
    case 'sorted':
      return argument.split(',').map(value).sort().join(',')
    case 'upper':
      return value(argument).toUpperCase()
    case 'nodash':
      return value(argument).replaceAll('-', '')
    case 'quote':
      return quote(value(argument))
    case 'unique_key':
      return createHash('sha1').update(value(argument).replaceAll('-', '').slice(0, 16)).digest('hex')
    case 'epoch':
      return String(Math.floor(Date.now() / 1000) + Number(argument))
    case 'plus': {
      const [variable = '', seconds] = argument.split(',')
      const instant = asInstant(value(variable))
      if (instant === null) throw new MissingVariable(variable)
      return isoText(instant.add({ seconds: Number(seconds) }))
    }
    default:
      throw new MissingVariable(`${name}:${argument}`)
  }
}

/** Percent-encodes everything but the unreserved characters of RFC 3986; `encodeURIComponent` keeps five more. */
function quote(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

export function asInstant(text: Json | undefined): Temporal.Instant | null {
  if (typeof text !== 'string') return null
  try {
    return Temporal.Instant.from(text)
  } catch {
    return null
  }
}

/** Formats an instant without `src/lib/time.ts`: a replayer that shared code with the server would not see its mistakes. */
function isoText(instant: Temporal.Instant): string {
  const whole = instant.epochNanoseconds % 1_000_000_000n === 0n
  return instant.toString({ fractionalSecondDigits: whole ? 0 : 6 }).replace('Z', '+00:00')
}
