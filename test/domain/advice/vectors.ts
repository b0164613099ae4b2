/**
 * The recorded cases of the doctor: logs of healthy checks and of checks with problems, each with the expected advice. `cases.ts` parses
 * them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Vector {
  readonly name: string
  readonly expect: Readonly<Record<string, unknown>>
  /** the line as it is in the file */
  readonly line: string
}

export function doctorLines(): readonly Vector[] {
  const lines = readFileSync(join(import.meta.dir, 'doctor.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const { name, expect } = JSON.parse(line)
    return { name, expect, line }
  })
}
