/**
 * The state of a list in the query of its address: `?q=etcd&tag=db&sort=-last`. What is not understood counts as not given, since an
 * address that somebody sent must not end in an error, and what is so by default is not written.
 */

type Pairs = readonly (readonly [name: string, value: string])[]

/** How one member of a state is read and written. @typeParam State that it belongs to */
interface Part<Value, State = unknown> {
  readonly read: (parameters: URLSearchParams) => Value
  readonly write: (value: Value, state: State) => Pairs
}

interface AddressState<State> {
  readonly read: (parameters: URLSearchParams) => State
  /** Names and values, such as those of hidden fields, in the order of the parts. */
  readonly pairs: (state: State) => Pairs
  /** With the question mark; '' for a state that is as by default. */
  readonly search: (state: State) => string
}

/** @param parts in the order in which they are written */
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

/** @param limit in UTF-16 units; the rest is left out */
export function text(name: string, limit: number): Part<string> {
  return {
    read: (parameters) => (parameters.get(name) ?? '').trim().slice(0, limit),
    write: (value) => (value === '' ? [] : [[name, value]]),
  }
}

/** A text that is '' unless it is one of those. */
export function textLike(name: string, isOne: (text: string) => boolean): Part<string> {
  return {
    read(parameters) {
      const given = parameters.get(name)
      return given !== null && isOne(given) ? given : ''
    },
    write: (value) => (value === '' ? [] : [[name, value]]),
  }
}

/** A name without a value, such as `?open`. */
export function flag(name: string): Part<boolean> {
  return {
    read: (parameters) => parameters.has(name),
    write: (isGiven) => (isGiven ? [[name, '']] : []),
  }
}

/** A value that is null unless it can be read. @param read null for what is none */
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

/** One of some, or null. @param wordOf how each is written */
export function oneOf<Value extends string>(
  name: string,
  values: readonly Value[],
  wordOf: (value: Value) => string = String,
): Part<Value | null> {
  return parsed(name, (text) => values.find((value) => wordOf(value) === text) ?? null, wordOf)
}

/** One of some. */
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

/** Those of some that are named. @param read what the texts name, without repetitions */
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
