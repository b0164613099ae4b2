/** The rows that measures return, and the Markdown table of them. */
import { fixed, median, withSpread } from './figures.ts'

export interface Figure {
  /** empty when the row has no other figure */
  readonly name: string
  /** one value for each round */
  readonly values: readonly number[]
  readonly digits: number
  /** unit, including the space before it, if there is one */
  readonly unit: string
}

interface Ratio {
  /** one value for each round, in which both sides were measured one after the other */
  readonly values: readonly number[]
  /** object of the comparison, such as `bare` */
  readonly to: string
  /** 3 by default */
  readonly digits?: number
}

export interface Aim {
  /** `p99 < 10 ms` */
  readonly text: string
  readonly isMet: boolean
}

export interface Row {
  /** measured program, if several are compared; {@link ratioTable} has a column for each */
  readonly program?: string
  readonly what: string
  readonly figures: readonly Figure[]
  readonly ratio: Ratio | null
  readonly aim: Aim | null
}

/** Returns an aim that is met when the median is at least `bound`. */
export function atLeast(values: readonly number[], bound: number, name: string): Aim {
  return { text: `${name} ≥ ${bound}`, isMet: median(values) >= bound }
}

/** Returns an aim that is met when the median is below `bound`. */
export function below(values: readonly number[], bound: number, name: string, unit: string): Aim {
  return { text: `${name} < ${fixed(bound, 0)}${unit}`, isMet: median(values) < bound }
}

/** Divides the figures of one side by those of the other, round by round. */
export function ratios(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, round) => value / (other[round] ?? Number.NaN))
}

/** @param aims whether to show the aims, which a short run meets or misses by chance */
export function markdown(rows: readonly Row[], aims: boolean): string {
  const cells = rows.map((row) => [
    row.program === undefined ? row.what : `${row.program}: ${row.what}`,
    row.ratio === null ? '' : `${withSpread(row.ratio.values, row.ratio.digits ?? 3)} to ${row.ratio.to}`,
    row.figures.map(figureText).join(', '),
    ...(aims ? [row.aim?.text ?? '', row.aim === null ? '' : row.aim.isMet ? 'yes' : '**no**'] : []),
  ])
  return table(['What', 'Ratio', 'Figure', ...(aims ? ['Aim', 'Met'] : [])], cells)
}

/**
 * Returns a short table of the rows of several programs, a column for each: its median ratio to the first program, and the figure.
 * @returns '' without rows of such a comparison
 */
export function ratioTable(rows: readonly Row[]): string {
  const compared = rows.filter((row) => row.program !== undefined)
  const programs = [...new Set(compared.map(({ program }) => program ?? ''))]
  const subjects = [...new Set(compared.map(({ what }) => what))]
  const [first] = programs
  if (first === undefined) return ''
  const cell = (what: string, program: string) => {
    const row = compared.find((each) => each.what === what && each.program === program)
    const [figure] = row?.figures ?? []
    if (row === undefined || figure === undefined) return '–'
    const ratio = row.ratio === null ? '1' : significant(median(row.ratio.values))
    return `${ratio} (${fixed(median(figure.values), figure.digits)}${figure.unit})`
  }
  const lines = subjects.map((what) => [what, ...programs.map((program) => cell(what, program))])
  return table([`Ratio to ${first}`, ...programs], lines)
}

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** Formats a value with two significant digits: `0.0042`, `0.31`, `5.2`, `120`. */
function significant(value: number): string {
  const digits = value >= 10 ? 0 : Math.max(1, 1 - Math.floor(Math.log10(value)))
  return fixed(Number(value.toPrecision(2)), digits)
}

function figureText({ name, values, digits, unit }: Figure): string {
  return `${name === '' ? '' : `${name} `}${withSpread(values, digits)}${unit}`
}
