/** Writes log lines: JSON, or short text on a terminal. Services get a plain function. */
import { configure, getJsonLinesFormatter, getLogger, type LogRecord, type TextFormatter } from '@logtape/logtape'
import type { Log, LogLevel } from './lib/log.ts'
import { printable } from './lib/text.ts'

/** Logs to standard error; standard output is for the results of commands. */
export async function createLog(level: LogLevel): Promise<Log> {
  const format = process.stderr.isTTY ? terminalLine : getJsonLinesFormatter({ properties: 'flatten' })
  await configure({
    reset: true,
    sinks: { stderr: (record) => process.stderr.write(format(record)) },
    loggers: [
      { category: 'overdue', lowestLevel: level, sinks: ['stderr'] },
      { category: ['logtape', 'meta'], lowestLevel: 'error', sinks: ['stderr'] },
    ],
  })
  const logger = getLogger('overdue')
  return (lineLevel, message, details = {}) => logger[lineLevel](message, details)
}

export const terminalLine: TextFormatter = ({ timestamp, level, message, properties }: LogRecord) => {
  const time = new Date(timestamp).toISOString().slice(11, 23)
  const details = Object.entries(properties).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  // JSON escapes only some control characters, and no bidirectional controls.
  return `${printable(`${time} ${level.padEnd(7)} ${message.join('')}${details.join('')}`)}\n`
}
