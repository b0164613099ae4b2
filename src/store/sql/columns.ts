/**
 * Maps the columns of a row to the members of a value. `store/tables/` contains the tables that are copied. If a statement joins several
 * tables, its mapping is next to the statement.
 */
import { compile, literalOf } from '../../lib/compiled-object.ts'
import { fromMicroseconds, type Instant, toMicroseconds } from '../../lib/time.ts'
import type { Sql, Value } from './database.ts'
import { assignments, placeholders, quoted } from './rows.ts'

/** A row as an engine returns it: values by column name. A statement may return more columns than are needed. */
export type Row = Readonly<Record<string, Value>>

/** The column in which a member is stored. */
export interface Column<Given> {
  /** the column's name; by default the member's name in snake case */
  readonly name?: string
  /** converts the stored value to the member's value; by default the value is unchanged */
  readonly read?: (stored: never) => Given
  /** converts the member's value to the stored value; by default the value is unchanged */
  readonly write?: (given: Given) => Value
}

export const text: Column<string> = {}
export const number: Column<number> = {}
export const flag: Column<boolean> = { read: Boolean, write: Number }
export const blob: Column<Uint8Array> = {}
export const instant: Column<Instant> = { read: fromMicroseconds, write: toMicroseconds }

/** Returns the column for a string that must be one of several words. */
export const word = <Word extends string>(): Column<Word> => ({})

export function json<Given>(): Column<Given> {
  return { read: (stored: string): Given => JSON.parse(stored), write: JSON.stringify }
}

export function named<Given>(name: string, column: Column<Given>): Column<Given> {
  return { ...column, name }
}

export function orNull<Given>({ name, read, write }: Column<Given>): Column<Given | null> {
  return {
    ...(name !== undefined && { name }),
    ...(read && { read: (stored: Value) => (stored === null ? null : read(stored as never)) }),
    ...(write && { write: (given: Given | null) => (given === null ? null : write(given)) }),
  }
}

/** The members of a value. Each member is either stored in a column, or is itself a value with members. */
export type Members<Given> = { readonly [Name in keyof Given]-?: Column<Given[Name]> | Columns<Given[Name]> }

type Reader = (stored: never) => unknown

type AnyMembers = Readonly<Record<string, Column<never> | Columns<unknown>>>

/** A member that is stored in a column, at any depth. */
interface Leaf {
  readonly column: string
  /** path of member names from the outermost value to this member */
  readonly path: readonly string[]
  readonly write: Column<never>['write']
}

/** Reads rows that each contain a value with these members. */
export class Columns<Given> {
  readonly members: Members<Given>
  /** true if the value is null when its first column is null */
  readonly isOptional: boolean
  readonly leaves: readonly Leaf[]
  /** Reads a row, as fast as a handwritten object literal would. */
  readonly read: (row: Row) => Given

  constructor(members: Members<Given>, isOptional = false) {
    this.members = members
    this.isOptional = isOptional
    this.leaves = leavesOf(anyOf(members))
    const readers: Reader[] = []
    const expression = expressionOf(this, readers)
    const names = readers.map((_, index) => `read${index}`)
    this.read = compile<(...read: Reader[]) => (row: Row) => Given>(names, `(row) => (${expression})`)(...readers)
  }

  async get(sql: Sql, statement: string, values: readonly Value[]): Promise<Given | null> {
    const row = await sql.get<Row>(statement, values)
    return row && this.read(row)
  }

  async all(sql: Sql, statement: string, values: readonly Value[]): Promise<Given[]> {
    return (await sql.all<Row>(statement, values)).map(this.read)
  }

  async getEach(sql: Sql, statement: string, lists: readonly (readonly Value[])[]): Promise<(Given | null)[]> {
    return (await sql.getEach<Row>(statement, lists)).map((row) => row && this.read(row))
  }
}

export function columns<Given>(members: Members<Given>): Columns<Given> {
  return new Columns(members)
}

/** Returns the columns of a value that is null when its first column is null. */
export function columnsOrNull<Given>(members: Members<Given>): Columns<Given | null> {
  return new Columns<Given>(members, true) as Columns<Given | null>
}

/** A table whose rows each contain a value with these members. */
export class Table<Given> extends Columns<Given> {
  readonly name: string
  /** the primary key */
  readonly key: readonly string[]
  /** all columns of the table */
  readonly columns: readonly string[]
  /** The columns of the members, in the order of {@link values}. */
  readonly written: readonly string[]
  /** `$1, $2, …`: placeholders for {@link values} */
  readonly parameters: string
  /** An INSERT statement, whose parameters are {@link values}. */
  readonly insertion: string
  /** Returns a row's values, as fast as a handwritten array literal would. */
  readonly values: (given: Given) => Value[]

  /** @param key names of columns, separated by spaces @param others columns that belong to no member, also separated by spaces */
  constructor(name: string, key: string, members: Members<Given>, others: string) {
    super(members)
    this.written = this.leaves.map(({ column }) => column)
    this.name = name
    this.key = key.split(' ')
    this.columns = [...this.written, ...others.split(' ').filter((column) => column !== '')]
    this.parameters = placeholders(this.written.length)
    this.insertion = `INSERT INTO ${name} (${quoted(this.written)}) VALUES (${this.parameters})`
    this.values = valuesOf(this.leaves)
  }

  async insert(sql: Sql, given: Given): Promise<void> {
    await sql.run(this.insertion, this.values(given))
  }

  /** Returns a function that writes these members of a value to the row with its key. */
  updating(...names: readonly (keyof Given & string)[]): (sql: Sql, given: Given) => Promise<number> {
    const { statement, valuesOf } = this.#update(names)
    return (sql, given) => sql.run(statement, valuesOf(given))
  }

  /** Returns a function that writes these members of several values, each to the row with its key. */
  updatingEach(...names: readonly (keyof Given & string)[]): (sql: Sql, given: readonly Given[]) => Promise<void> {
    const { statement, valuesOf } = this.#update(names)
    return (sql, given) => sql.runEach(statement, given.map(valuesOf))
  }

  #update(names: readonly (keyof Given & string)[]) {
    const written = names.flatMap((name) => this.leaves.filter(({ path }) => path[0] === name))
    const keys = this.leaves.filter(({ column }) => this.key.includes(column))
    const assigned = assignments(written.map(({ column }) => column))
    const matched = keys.map(({ column }, index) => `"${column}" = $${written.length + index + 1}`)
    const statement = `UPDATE ${this.name} SET ${assigned} WHERE ${matched.join(' AND ')}`
    return { statement, valuesOf: valuesOf<Given>([...written, ...keys]) }
  }
}

export function table<Given>(name: string, key: string, members: Members<Given>, others = ''): Table<Given> {
  return new Table(name, key, members, others)
}

/** Returns the same members with a type that fits any value. */
function anyOf<Given>(members: Members<Given>): AnyMembers {
  return members as unknown as AnyMembers
}

function leavesOf(members: AnyMembers): Leaf[] {
  return Object.entries(members).flatMap(([name, member]): Leaf[] =>
    member instanceof Columns
      ? member.leaves.map((leaf) => ({ ...leaf, path: [name, ...leaf.path] }))
      : [{ column: columnOf(name, member), path: [name], write: member.write }],
  )
}

function columnOf(name: string, column: Column<never>): string {
  return column.name ?? name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)
}

/** Returns the expression for the value of `row`. @param readers receives the functions that the expression calls `read0`, `read1`, … */
function expressionOf({ members, isOptional, leaves }: Columns<unknown>, readers: Reader[]): string {
  const expressions = Object.entries(anyOf(members)).map(([name, member]) => {
    if (member instanceof Columns) return [name, expressionOf(member, readers)]
    const stored = `row.${columnOf(name, member)}`
    return [name, member.read ? `read${readers.push(member.read) - 1}(${stored})` : stored]
  })
  const literal = literalOf(Object.fromEntries(expressions))
  return isOptional ? `row.${leaves[0]?.column} === null ? null : ${literal}` : literal
}

/** Returns a function that lists the values of these members. If a value is null, its members are null too. */
function valuesOf<Given>(leaves: readonly Leaf[]): (given: Given) => Value[] {
  const stored = leaves.map(({ path, write }, index) => {
    const parents = path.slice(0, -1).map((_, depth) => `given.${path.slice(0, depth + 1).join('.')} === null`)
    const value = `given.${path.join('.')}`
    const written = write ? `write${index}(${value})` : value
    return parents.length > 0 ? `${parents.join(' || ')} ? null : ${written}` : written
  })
  const names = leaves.map((_, index) => `write${index}`)
  const writers = leaves.map(({ write }) => write)
  return compile<(...write: unknown[]) => (given: Given) => Value[]>(
    names,
    `(given) => [${stored.join(', ')}]`,
  )(...writers)
}
