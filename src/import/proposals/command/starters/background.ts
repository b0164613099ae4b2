/** Programs that start a program in the background, start it later, or pass it to a queue or a service manager. */
import { ENDS_EARLY, type Starter } from './starter.ts'

const STARTS: Starter = { subcommands: { start: ENDS_EARLY } }

export const BACKGROUND: Readonly<Record<string, Starter>> = {
  at: ENDS_EARLY,
  batch: ENDS_EARLY,
  coproc: { attaching: /(?!)/ },
  daemon: { flags: 'cfrS', valued: 'pPtuomlTHR', longFlags: '*', attaching: /^--foreground$/ },
  daemonize: { flags: 'av', valued: 'ceoplEu', attaching: /(?!)/ },
  initctl: STARTS,
  nq: ENDS_EARLY,
  pm2: STARTS,
  qsub: { rest: 'nothing', attaching: /^-sync$/ },
  sbatch: { rest: 'nothing', attaching: /^(?:-W|--wait)$/ },
  screen: { flags: 'aADdLmqRUxln', valued: 'ceEhpsStT', detaching: /^-\w*d/ },
  setsid: { flags: 'cfw', longFlags: 'ctty fork wait', detaching: /^-\w*f|^--fork$/ },
  'start-stop-daemon': { behind: /^(?:-\w*[ax]|--exec|--startas)$/, detaching: /^-\w*b|^--background$/ },
  supervisorctl: STARTS,
  'systemd-run': {
    flags: 'dGPqrSt',
    valued: 'CEHMpu',
    longFlags:
      'scope user system wait pipe pty collect quiet same-dir remain-after-exit no-block no-ask-password slice-inherit',
    longValued:
      'unit property description slice uid gid nice working-directory setenv service-type machine host on-active on-boot on-startup ' +
      'on-unit-active on-unit-inactive on-calendar timer-property path-property socket-property',
    attaching: /^-\w*[tP]|^--(?:scope|wait|pipe|pty)$/,
  },
  tmux: {
    flags: '2u',
    valued: 'fLS',
    subcommands: Object.fromEntries(
      ['new', 'new-session'].map((subcommand): [string, Starter] => [
        subcommand,
        { flags: 'AdDEPX', valued: 'cefFnstxy', rest: 'line', detaching: /^-\w*d/ },
      ]),
    ),
  },
  tsp: { rest: 'nothing', attaching: /^-\w*f/ },
}
