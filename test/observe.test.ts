import { expect, test } from 'bun:test'
import { terminalLine } from '../src/observe.ts'

/** Runs a program that logs, in a process of its own: the logger is one for the whole process. */
async function lines(level: string): Promise<readonly Record<string, unknown>[]> {
  const program = `
    import { createLog } from './src/observe.ts'
    const log = await createLog('${level}')
    for (const level of ['debug', 'info', 'warning', 'error']) log(level, 'happened {name}', { name: 'x', count: 3, list: ['a\\nb'] })
    console.log('result')
  `
  const child = Bun.spawn([process.execPath, '-e', program], {
    cwd: `${import.meta.dir}/..`,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect(out).toBe('result\n')
  return err
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

test('a line is one JSON object on standard error, with its details beside the message', async () => {
  const logged = await lines('debug')
  expect(logged.map((line) => line.level)).toEqual(['DEBUG', 'INFO', 'WARN', 'ERROR'])
  expect(logged[1]).toMatchObject({ logger: 'overdue', name: 'x', count: 3, list: ['a\nb'] })
  expect(Number.isNaN(Date.parse(String(logged[1]?.['@timestamp'])))).toBe(false)
})

test('lines below the level are left out', async () => {
  expect((await lines('warning')).map((line) => line.level)).toEqual(['WARN', 'ERROR'])
})

test('a line on a terminal is one, whatever its details hold', () => {
  const properties = { reason: 'a\u001b[2J\r\nb\u009b1m\u202etxt' }
  const record = {
    category: ['overdue'],
    level: 'info',
    message: ['happened'],
    rawMessage: 'happened',
    properties,
  } as const
  const line = terminalLine({ ...record, timestamp: Date.parse('2026-03-04T12:00:00.5Z') })
  expect(line).toBe('12:00:00.500 info    happened reason="a\\u001b[2J\\r\\nb1mtxt"\n')
})
