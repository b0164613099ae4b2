import { expect, test } from 'bun:test'
import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import type { Log } from '../../src/domain/log.ts'
import { tellingOnce } from '../../src/telemetry/exporter.ts'

/** An exporter that comes to these results, and what it logs. */
function run(results: readonly ExportResult[]) {
  const lines: [level: string, message: string, details: object][] = []
  const log: Log = (level, message, details = {}) => void lines.push([level, message, details])
  const left = [...results]
  const exporter = tellingOnce(
    {
      export: (_, done) => done(left.shift() ?? { code: ExportResultCode.SUCCESS }),
      shutdown: async () => {},
    },
    log,
  )
  const passedOn: ExportResult[] = []
  for (const _ of results) exporter.export([], (result) => passedOn.push(result))
  expect(passedOn).toEqual([...results])
  return lines
}

const fine = { code: ExportResultCode.SUCCESS }
const failed = (message: string) => ({ code: ExportResultCode.FAILED, error: new Error(message) })
const WARNING = 'traces cannot be delivered, and are dropped until they can'

test('nothing is told while all goes well', () => {
  expect(run([fine, fine])).toEqual([])
})

test('trouble is told once, with the first reason, and its end is', () => {
  expect(run([fine, failed('refused'), failed('refused'), failed('timed out'), fine, fine])).toEqual([
    ['warning', WARNING, { reason: 'refused' }],
    ['info', 'traces are delivered again', {}],
  ])
})

test('trouble that comes again is told again', () => {
  expect(run([failed('a'), fine, failed('b')]).map(([level]) => level)).toEqual(['warning', 'info', 'warning'])
})

test('a reason is cut, and need not be there', () => {
  expect(run([failed('x'.repeat(10_000))])[0]?.[2]).toEqual({ reason: 'x'.repeat(200) })
  expect(run([{ code: ExportResultCode.FAILED }])[0]?.[2]).toEqual({ reason: 'no reason given' })
})
