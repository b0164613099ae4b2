/**
 * Reads and writes the state of a list page in the query string of its URL, such as `?q=etcd&tag=db&sort=-last`. Unknown values are
 * ignored, so that a shared link never leads to an error. Default values are left out.
 */

type Pairs = readonly (readonly [name: string, value: string])[]

/**
 * Reads and writes one member of the state.
 * @typeParam State the complete state
 */
interface Part<Value, State = unknown> {
  readonly read: (parameters: URLSearchParams) => Value
  readonly write: (value: Value, state: State) => Pairs
}

interface AddressState<State> {
  readonly read: (parameters: URLSearchParams) => State
  /** Returns names and values in the order of the parts, for example for hidden form fields. */
  readonly pairs: (state: State) => Pairs
  /** Returns the query string including the question mark; '' for the default state. */
  readonly search: (state: State) => string
}

/** @param parts members of the state, in the order in which their values are written */
export function addressState<State extends object>(
  parts: {
    readonly [Name in keyof State]: Part<State[Name], State>
  },
): AddressState<State> {
  const names = Object.keys(parts) as (keyof State)[]
  const pairs = (state: State) => names.flatMap((name) => parts[name].write(state[name], state))
  return {
    read: (parameters) => Object.fromEntries(names.map((name) => [name, parts[name].read(parameters)])) as State,
    pairs,
    search(state) {
      const parameters = new URLSearchParams()
      for (const [name, value] of pairs(state)) parameters.append(name, value)
      return parameters.size === 0 ? '' : `?${parameters}`
    },
  }
}

/** @param limit maximum length in UTF-16 units; longer strings are truncated */
export function text(name: string, limit: number): Part<string> {
  return {
    read: (parameters) => (parameters.get(name) ?? '').trim().slice(0, limit),
    write: (value) => (value === '' ? [] : [[name, value]]),
  }
}

/** A string that is accepted by `isOne`; '' if it is not. */
export function textLike(name: string, isOne: (text: string) => boolean): Part<string> {
  return {
    read(parameters) {
      const given = parameters.get(name)
      return given !== null && isOne(given) ? given : ''
    },
    write: (value) => (value === '' ? [] : [[name, value]]),
  }
}

/** A parameter without a value, such as `?open`. */
export function flag(name: string): Part<boolean> {
  return {
    read: (parameters) => parameters.has(name),
    write: (isGiven) => (isGiven ? [[name, '']] : []),
  }
}

/**
 * A value parsed by `read`; null if it can't be parsed.
 * @param read returns null for a string that can't be parsed
 */
export function parsed<Value>(
  name: string,
  read: (text: string) => Value | null,
  write: (value: Value) => string,
): Part<Value | null> {
  return {
    read: (parameters) => read(parameters.get(name) ?? ''),
    write: (value) => (value === null ? [] : [[name, write(value)]]),
  }
}

/**
 * One of `values`, or null.
 * @param wordOf returns the string for a value
 */
export function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  wordOf: (value: Value) => string = String,
): Part<Value | null> {
  return parsed(name, (text) => values.find((value) => wordOf(value) === text) ?? null, wordOf)
}

/** One of `values`; `byDefault` if the string matches none of them. */
export function oneOfOr<Value extends string | number>(
  name: string,
  values: readonly Value[],
  byDefault: Value,
): Part<Value> {
  return {
    read: (parameters) => values.find((value) => String(value) === parameters.get(name)) ?? byDefault,
    write: (value) => (value === byDefault ? [] : [[name, String(value)]]),
  }
}

/**
 * Several values with the same parameter name.
 * @param read parses the strings, which contain no duplicates
 */
export function several<Value extends string>(
  name: string,
  read: (texts: readonly string[]) => readonly Value[],
  wordOf: (value: Value) => string = String,
): Part<readonly Value[]> {
  return {
    read: (parameters) => read([...new Set(parameters.getAll(name))]),
    write: (values) => values.map((value) => [name, wordOf(value)]),
  }
}
