/** Runs one command. The settings, the database and the output are opened on demand, and closed when the command ends. */
import type { Config } from '../config/config.ts'
import { oneLine, printable } from '../lib/text/text.ts'
import type { Deps } from '../services/common/deps.ts'
import type { Arguments } from './arguments.ts'
import type { Command, Context } from './command.ts'
import type { Io } from './terminal/io.ts'
import { withProgress } from './terminal/progress.ts'
import { type Screen, type Shown, show } from './terminal/screen.ts'

/** @returns the exit status */
export async function runCommand(command: Command, { values, ...args }: Arguments, io: Io): Promise<number> {
  const { out, err, input, environment, now, zone, ask, onSignal, exit } = io
  const isJson = values.json === true
  const hasColor = wantsColor(environment)
  let config: Config | null = null
  let deps: Deps | null = null
  const showProgress: Context['showProgress'] = (work) => withProgress(isJson ? null : err, work)
  const readConfig = async () => {
    const { readConfig } = await import('../config/config.ts')
    config ??= readConfig(environment)
    return config
  }
  const context: Context = {
    ...{ ...args, argument: args.positionals[0] ?? '', values, input, now, zone, onSignal, exit },
    readConfig,
    async openDeps() {
      if (deps !== null) return deps
      const config = await readConfig()
      const [{ createDeps }, { createLog }] = await Promise.all([import('../app/deps.ts'), import('../app/observe.ts')])
      const create = command.createsDatabase ?? false
      const log = createLog(config.logLevel, err)
      deps = await showProgress((onWork) => createDeps(config, log, { create, checkIntegrity: create, onWork }))
      return deps
    },
    showProgress,
    // Control characters are removed from text, but not from JSON.
    print(result, shown) {
      if (isJson) void out.write(`${JSON.stringify(result)}\n`)
      else say(shown, io, hasColor)
    },
    async printBeside(result, shown, file) {
      if (isJson) return context.print(result, shown)
      const isOnTerminal = out.terminal !== null
      say(shown, { out: isOnTerminal ? out : err, now }, hasColor)
      await out.write(isOnTerminal ? printable(Buffer.from(file).toString()) : file)
    },
    write: out.write,
    isOnTerminal: out.terminal !== null,
    note(text) {
      if (!isJson) void err.write(`${printable(text)}\n`)
    },
    confirm: (question) =>
      values.yes === true || !(input.isTerminal && out.terminal !== null) || ask(oneLine(question)),
  }
  try {
    return (await command.run(context)) ?? 0
  } finally {
    const opened = deps as Deps | null
    await opened?.closeCarriers()
    await opened?.store.close()
  }
}

/** Prints text, to standard output by default. @param wantsColor true if a terminal may show colours */
export function say(shown: Shown, { out, now }: Pick<Io, 'out' | 'now'>, wantsColor = false): void {
  const hasColor = wantsColor && out.terminal !== null
  const screen: Screen = { columns: out.terminal?.columns ?? null, hasColor, now: now() }
  void out.write(`${show(shown, screen)}\n`)
}

/** Returns true unless the user has disabled colours (https://no-color.org). */
function wantsColor({ NO_COLOR }: Io['environment']): boolean {
  return !NO_COLOR
}
