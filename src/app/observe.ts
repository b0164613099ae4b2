/** Writes log lines as JSON, or as short text on a terminal. Services get a plain function. */
import { getJsonLinesFormatter, type LogRecord, type TextFormatter } from '@logtape/logtape'
import type { Log, LogLevel } from '../lib/log.ts'
import { printable } from '../lib/text/text.ts'
import { systemClock } from './system-clock.ts'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warning', 'error']

/** Destination of log lines. This is standard error, because standard output is for the results of commands. */
interface LogOutput {
  /** null if the output is not a terminal */
  readonly terminal: object | null
  write(line: string): unknown
}

/**
 * Creates a log. LogTape's configuration is global to the process, so LogTape is only used to format lines. Each log has its own level and
 * output.
 * @param level lowest level that is written
 */
export function createLog(level: LogLevel, output: LogOutput): Log {
  const format = output.terminal === null ? jsonLine : terminalLine
  const lowest = LEVELS.indexOf(level)
  return (level, message, properties = {}) => {
    if (LEVELS.indexOf(level) < lowest) return
    const timestamp = systemClock().epochMilliseconds
    output.write(
      format({ category: ['overdue'], level, message: [message], rawMessage: message, timestamp, properties }),
    )
  }
}

const jsonLine = getJsonLinesFormatter({ properties: 'flatten' })

export const terminalLine: TextFormatter = ({ timestamp, level, message, properties }: LogRecord) => {
  const time = new Date(timestamp).toISOString().slice(11, 23)
  const details = Object.entries(properties).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  // JSON escapes only some control characters and no bidirectional controls.
  return `${printable(`${time} ${level.padEnd(7)} ${message.join('')}${details.join('')}`)}\n`
}
