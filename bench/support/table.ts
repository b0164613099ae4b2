/** What a measure hands in, and the Markdown table that becomes of it. */
import { fixed, median, withSpread } from './figures.ts'

export interface Figure {
  /** Empty where the row says it all. */
  readonly name: string
  /** One for each round. */
  readonly values: readonly number[]
  readonly digits: number
  /** With the blank before it, if there is one. */
  readonly unit: string
}

export interface Ratio {
  /** One for each round: both sides were measured in it, one after the other. */
  readonly values: readonly number[]
  /** Next to what, as in `bare`. */
  readonly to: string
  /** 3 unless given. */
  readonly digits?: number
}

export interface Aim {
  /** `p99 < 10 ms` */
  readonly text: string
  readonly isMet: boolean
}

export interface Row {
  readonly what: string
  readonly figures: readonly Figure[]
  readonly ratio: Ratio | null
  readonly aim: Aim | null
}

/** The median has to be at least as high as `bound`. */
export function atLeast(values: readonly number[], bound: number, name: string): Aim {
  return { text: `${name} ≥ ${bound}`, isMet: median(values) >= bound }
}

/** The median has to stay below `bound`. */
export function below(values: readonly number[], bound: number, name: string, unit: string): Aim {
  return { text: `${name} < ${fixed(bound, 0)}${unit}`, isMet: median(values) < bound }
}

/** The figures of one side through those of the other, round by round. */
export function ratios(one: readonly number[], other: readonly number[]): number[] {
  return one.map((value, round) => value / (other[round] ?? Number.NaN))
}

/** @param aims whether to show what is aimed at; figures of too short a measure meet or miss an aim by chance */
export function markdown(rows: readonly Row[], aims: boolean): string {
  const cells = rows.map((row) => [
    row.what,
    row.figures.map(figureText).join(', '),
    row.ratio === null ? '' : `${withSpread(row.ratio.values, row.ratio.digits ?? 3)} to ${row.ratio.to}`,
    ...(aims ? [row.aim?.text ?? '', row.aim === null ? '' : row.aim.isMet ? 'yes' : '**no**'] : []),
  ])
  const head = ['What', 'Figure', 'Ratio', ...(aims ? ['Aim', 'Met'] : [])]
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function figureText({ name, values, digits, unit }: Figure): string {
  return `${name === '' ? '' : `${name} `}${withSpread(values, digits)}${unit}`
}
