/**
 * Puts a wrapper before the command of a systemd service. systemd still parses the quotes, `%` and `$` in the command (systemd.service(5),
 * "COMMAND LINES"). A service gets no wrapper if the wrapper could change more than the pings.
 */
import { type WrapperWay, wrapperLine } from '../ping-lines.ts'
import { inUnit } from './quoting.ts'
import { typeOfDaemon } from './services.ts'
import type { Unit } from './units.ts'

/** The service's only command. */
export interface Wrapped {
  readonly by: WrapperWay
  /** characters such as `-` that precede the path of the program and have a meaning for systemd */
  readonly prefix: string
  /** the command as written in the unit */
  readonly command: string
  /** identifier for the service's lines in the journal; null if the service sets an identifier itself */
  readonly identifier: string | null
  /** true if systemd must treat the exit statuses for signals such as SIGTERM as success; the wrapper reports a signal as an exit status */
  readonly isStoppedWell: boolean
}

/**
 * Returns the command that the wrapper can run, or a sentence that says why it can run none. @param service a service whose own file is
 * known
 */
export function wrappedBy(by: WrapperWay, service: Unit): Wrapped | string {
  const [written, ...others] = service.written('Service.ExecStart')
  if (written === undefined) return 'It has no ExecStart=.'
  if (others.length > 0) return SEVERAL
  const [, prefix = '', command = ''] = /^([-@:+!|]*)(.*)$/s.exec(written) ?? []
  const path = pathIn(command)
  if (path === null) return 'Its ExecStart= does not begin with the path of a program.'
  const reason = commandReason(prefix, command) ?? serviceReason(by, service)
  if (reason !== null) return reason
  return {
    by,
    prefix,
    command,
    identifier: service.last('Service.SyslogIdentifier') === undefined ? path.slice(path.lastIndexOf('/') + 1) : null,
    isStoppedWell: by === 'overdue-run' && service.last('Service.Type') !== 'oneshot',
  }
}

/** Returns the lines of a drop-in. The first line clears the list of commands. */
export function wrappedLines({ by, prefix, command, identifier, isStoppedWell }: Wrapped, url: string): string {
  const target = inUnit(url, { readsVariables: !prefix.includes(':') })
  return [
    'ExecStart=',
    `ExecStart=${prefix}${wrapperLine(by, target, command)}`,
    ...(identifier === null ? [] : [`SyslogIdentifier=${identifier}`]),
    ...(isStoppedWell ? [STOPPED_WELL] : []),
  ].join('\n')
}

/** SIGHUP, SIGINT, SIGPIPE and SIGTERM, as exit statuses of a shell. */
const STOPPED_WELL = 'SuccessExitStatus=129 130 141 143'

const SEVERAL = 'It has several commands, and each one would be a run.'

/** Returns a sentence that says why the command's program would not start as before. */
function commandReason(prefix: string, command: string): string | null {
  if (prefix.includes('@')) return 'The @ before its command gives the program another name.'
  if (prefix.includes('|')) return 'The | before its command makes a shell start it.'
  if (/(?:^|\s);(?:\s|$)/.test(command.replaceAll(QUOTED, '-'))) return SEVERAL
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be written.
  if (/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\ufffd]/.test(command))
    return 'Its command has characters that are not text.'
  return null
}

const QUOTED = /\\.|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs

/** Returns the path of the program. Returns null if systemd searches for the program, or if the first word is not plain. */
function pathIn(command: string): string | null {
  const words = /^(?:"(\/[^"$\\]*[^"$\\/])"|'(\/[^'$\\]*[^'$\\/])'|(\/[^\s"'$\\]*[^\s"'$\\/]))(?:\s|$)/.exec(command)
  return words?.slice(1).find((word) => word !== undefined) ?? null
}

/** Returns a sentence that says why the service's settings do not allow a program between systemd and the job. */
function serviceReason(by: WrapperWay, service: Unit): string | null {
  const type = typeOfDaemon(service) ?? (service.last('Service.BusName') === undefined ? null : 'dbus')
  if (type !== null) return `With Type=${type}, systemd waits for a signal of the program that it starts.`
  const names = service.namesOf('Service')
  const found = names.find((name) => NEAR.has(name) || (by === 'overdue' && NOT_FOR_EXECUTABLE.has(name)))
  if (found !== undefined) return `${found}= may not fit ${by}.`
  if (service.textsOf('Service').some((text) => text.includes('MAINPID'))) return 'Its commands use $MAINPID.'
  const restart = service.last('Service.Restart') ?? ''
  if (by === 'overdue-run' && /^on-ab(?:normal|ort)$/.test(restart))
    return `Restart=${restart} depends on whether a signal ended the job.`
  const signal = service.last('Service.KillSignal') ?? 'SIGTERM'
  return /^(?:SIGTERM|TERM|15)$/.test(signal) ? null : `KillSignal= may not fit ${by}.`
}

/**
 * Settings for the process that systemd starts or for its exit status, and settings that may hide `/usr/local/bin`. If the wrapper were
 * hidden, the job would not run.
 */
const NEAR: ReadonlySet<string> = new Set(
  (
    'NotifyAccess WatchdogSec Sockets StandardInput TTYPath SuccessExitStatus RestartForceExitStatus RestartPreventExitStatus ' +
    'RootDirectory RootImage TemporaryFileSystem InaccessiblePaths InaccessibleDirectories BindPaths BindReadOnlyPaths MountImages ' +
    'ExtensionImages ExtensionDirectories NoExecPaths RestrictFileSystems AppArmorProfile SELinuxContext SmackProcessLabel'
  ).split(' '),
)

/** Settings that conflict with the executable. It compiles code while it runs, reserves addresses, and needs more memory than a shell. */
const NOT_FOR_EXECUTABLE: ReadonlySet<string> = new Set(
  'MemoryDenyWriteExecute SystemCallFilter LimitAS LimitDATA LimitNPROC TasksMax MemoryMax MemoryHigh'.split(' '),
)
