/** Writes log lines: JSON, or short text on a terminal. Services get a plain function. */
import { getJsonLinesFormatter, type LogRecord, type TextFormatter } from '@logtape/logtape'
import type { Log, LogLevel } from '../lib/log.ts'
import { printable } from '../lib/text/text.ts'
import { systemClock } from './system-clock.ts'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warning', 'error']

/** Where lines go: standard error, since standard output is for the results of commands. */
interface LogOutput {
  /** null: it is no terminal */
  readonly terminal: object | null
  write(line: string): unknown
}

/**
 * The configuration of LogTape is one for the whole process, so it formats the lines only: each log has its own level and
 * output.
 * @param level lines below it are left out
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
  // JSON escapes only some control characters, and no bidirectional controls.
  return `${printable(`${time} ${level.padEnd(7)} ${message.join('')}${details.join('')}`)}\n`
}
