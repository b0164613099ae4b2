/** Programs that begin another one: what stands between them and its name. Options that are not listed end the search. */

export interface Starter {
  /** letters of options without a value */
  readonly flags?: string
  /** letters of options with a value */
  readonly valued?: string
  /** names of long options without a value, separated by blanks; one with `=` needs no entry */
  readonly longFlags?: string
  /** names of long options whose value is the next word */
  readonly longValued?: string
  /** how many words follow the options, before what is begun */
  readonly skip?: number
  /** behind the skipped words, `-c` and a line for a shell may follow */
  readonly takesLine?: boolean
  /** `line`: a shell reads the rest. `image`: one word is left that names it; a program may follow. Otherwise a program */
  readonly rest?: 'line' | 'image'
  /** the word behind the options decides what is begun, if anything */
  readonly subcommands?: Readonly<Record<string, Starter>>
  /** options with which it does not wait for the end */
  readonly detaching?: RegExp
  /** options without which it does not wait for the end */
  readonly attaching?: RegExp
}

const DETACHED = /^-[itTqP]*d|^--detach(?:=true)?$/
const EXEC_IN: Starter = {
  flags: 'ditTqP',
  valued: 'euw',
  longFlags: 'detach interactive tty no-TTY no-tty privileged',
  longValued: 'env env-file user workdir detach-keys index',
  skip: 1,
  detaching: DETACHED,
}
const RUN_IN: Starter = {
  flags: 'ditTqPQ',
  valued: 'aceuhlmpvw',
  longFlags:
    'rm detach interactive tty init privileged read-only no-deps quiet quiet-pull build service-ports publish-all',
  longValued:
    'name env env-file volume mount network net user workdir entrypoint label memory cpus publish hostname log-driver log-opt restart ulimit pull platform cap-add cap-drop add-host dns device tmpfs security-opt pid ipc shm-size gpus group-add cidfile userns link',
  rest: 'image',
  detaching: DETACHED,
}
const COMPOSE: Starter = {
  valued: 'fp',
  longValued: 'file project-name profile env-file project-directory ansi progress parallel',
  longFlags: 'compatibility',
  subcommands: { exec: EXEC_IN, run: RUN_IN },
}
const CONTAINERS: Starter = {
  valued: 'cHl',
  longValued: 'context config host log-level url connection',
  subcommands: {
    exec: EXEC_IN,
    run: RUN_IN,
    container: { subcommands: { exec: EXEC_IN, run: RUN_IN } },
    compose: COMPOSE,
  },
}
const KUBERNETES: Starter = {
  valued: 'ns',
  longValued: 'namespace context kubeconfig cluster server',
  subcommands: {
    exec: {
      flags: 'itq',
      valued: 'cn',
      longFlags: 'stdin tty quiet',
      longValued: 'container namespace context kubeconfig',
      skip: 1,
    },
  },
}
const INSTANCES: Starter = { subcommands: { exec: { flags: 'tTn', longValued: 'env user cwd', skip: 1 } } }
const EXEC: Starter = { subcommands: { exec: {} } }
const RUN: Starter = { subcommands: { run: {} } }
const AS_USER: Starter = { skip: 1 }

const STARTERS: Readonly<Record<string, Starter>> = {
  builtin: {},
  busybox: {},
  caffeinate: { flags: 'disum', valued: 'tw' },
  chpst: { valued: 'ubeonl' },
  chronic: { flags: 'ev' },
  chroot: { skip: 1, longValued: 'userspec groups', longFlags: 'skip-chdir' },
  chrt: { flags: 'abdfiorvR', valued: 'TPD', longFlags: 'batch deadline fifo idle other rr', skip: 1 },
  command: { flags: 'p' },
  cpulimit: { flags: 'zi', valued: 'l', longValued: 'limit' },
  cronic: {},
  'dbus-run-session': {},
  doas: { flags: 'n', valued: 'uC' },
  docker: CONTAINERS,
  'docker-compose': COMPOSE,
  doppler: { subcommands: { run: { valued: 'pc', longValued: 'project config' } } },
  dotenv: { valued: 'f', subcommands: { run: {} } },
  eatmydata: {},
  env: { flags: 'iv0', valued: 'uC', longFlags: 'ignore-environment', longValued: 'unset chdir' },
  envdir: AS_USER,
  exec: { flags: 'cl', valued: 'a' },
  faketime: AS_USER,
  fakeroot: {},
  flock: {
    flags: 'sxenuoFv',
    valued: 'wE',
    longFlags: 'shared exclusive nonblock nb close no-fork verbose',
    longValued: 'timeout wait conflict-exit-code',
    skip: 1,
    takesLine: true,
  },
  gosu: AS_USER,
  incus: INSTANCES,
  ionice: { flags: 't', valued: 'cn', longValued: 'class classdata', longFlags: 'ignore' },
  jexec: { flags: 'l', valued: 'uU', skip: 1 },
  k3s: { subcommands: { kubectl: KUBERNETES } },
  kubectl: KUBERNETES,
  lckdo: { flags: 'weEsxqt', skip: 1 },
  lockf: { flags: 'knsw', valued: 't', skip: 1 },
  lxc: INSTANCES,
  'lxc-attach': { valued: 'nu', longValued: 'name', longFlags: 'clear-env' },
  microk8s: { subcommands: { kubectl: KUBERNETES } },
  nerdctl: CONTAINERS,
  nice: { flags: '0123456789', valued: 'n', longValued: 'adjustment' },
  nocache: {},
  nohup: {},
  nsenter: {
    flags: 'mnuipCUTwrFa',
    valued: 'tSG',
    longValued: 'target setuid setgid',
    longFlags: 'all mount uts ipc net pid',
  },
  numactl: { valued: 'NmCip' },
  oc: KUBERNETES,
  pct: INSTANCES,
  pipenv: RUN,
  podman: CONTAINERS,
  'podman-compose': COMPOSE,
  poetry: RUN,
  prlimit: {},
  proxychains: { flags: 'q', valued: 'f' },
  proxychains4: { flags: 'q', valued: 'f' },
  pyenv: EXEC,
  rbenv: EXEC,
  bundle: EXEC,
  'run-one': {},
  setlock: { flags: 'nNxX', skip: 1 },
  setpriv: {
    longFlags: 'clear-groups keep-groups init-groups reset-env no-new-privs nnp',
    longValued: 'reuid regid ruid euid rgid egid groups inh-caps ambient-caps bounding-set securebits pdeathsig',
  },
  setsid: { flags: 'cfw', longFlags: 'ctty fork wait', detaching: /^-\w*f|^--fork$/ },
  setuidgid: AS_USER,
  's6-setuidgid': AS_USER,
  ssh: {
    flags: '46AaCfGgKkMNnqsTtVvXxYy',
    valued: 'BbcDEeFIiJLlmOoPpQRSWw',
    skip: 1,
    rest: 'line',
    detaching: /^-[46AaCGgKkMNnqsTtVvXxYy]*f/,
  },
  sshpass: { flags: 'ev', valued: 'pfdP' },
  stdbuf: { valued: 'ioe', longValued: 'input output error' },
  'su-exec': AS_USER,
  sudo: {
    flags: 'AbEHiknPSsBN',
    valued: 'CDghprRTtu',
    longValued: 'user group chdir prompt close-from host role type',
    longFlags: 'login non-interactive preserve-env set-home background shell stdin',
    detaching: /^-[AEHiknPSsBN]*b|^--background$/,
  },
  'systemd-cat': { valued: 'tp', longValued: 'identifier priority stderr-priority level-prefix' },
  'systemd-inhibit': { longValued: 'what who why mode' },
  'systemd-run': {
    flags: 'dGPqrSt',
    valued: 'CEHMpu',
    longFlags:
      'scope user system wait pipe pty collect quiet same-dir remain-after-exit no-block no-ask-password slice-inherit',
    longValued: 'unit property description slice uid gid nice working-directory setenv service-type machine host',
    attaching: /^-\w*[tP]|^--(?:scope|wait|pipe|pty)$/,
  },
  taskset: { flags: 'ac', longFlags: 'all-tasks cpu-list', skip: 1 },
  time: { flags: 'pvl', valued: 'fo', longValued: 'format output' },
  timeout: {
    flags: 'fpv',
    valued: 'ks',
    longFlags: 'foreground preserve-status verbose',
    longValued: 'signal kill-after',
    skip: 1,
  },
  torsocks: {},
  unbuffer: { flags: 'p' },
  unshare: { flags: 'mnuipCUTrf' },
  uv: RUN,
  'xvfb-run': { flags: 'al', valued: 'efnps' },
}

export function starterOf(program: string): Starter | null {
  return Object.hasOwn(STARTERS, program) ? (STARTERS[program] ?? null) : null
}

interface ReadOptions {
  readonly options: readonly string[]
  readonly rest: readonly string[]
}

/** @param words behind the program. @returns null when an option is not known: its value could be taken for a program */
export function readOptions(words: readonly string[], starter: Starter): ReadOptions | null {
  let at = 0
  for (let word = words[at]; word?.startsWith('-') && word !== '--'; word = words[at]) {
    const taken = word.startsWith('--') ? wordsOfLong(word.slice(2), starter) : wordsOfShort(word.slice(1), starter)
    if (taken === null) return null
    at += taken
  }
  const rest = words.slice(words[at] === '--' ? at + 1 : at)
  return { options: words.slice(0, at), rest }
}

function wordsOfLong(option: string, { longFlags = '', longValued = '' }: Starter): number | null {
  if (option.includes('=') || longFlags.split(' ').includes(option)) return 1
  return longValued.split(' ').includes(option) ? 2 : null
}

/** `-` alone is that of `env` and `su`; after the letter of an option with a value comes the value. */
function wordsOfShort(letters: string, { flags = '', valued = '' }: Starter): number | null {
  for (const [index, letter] of [...letters].entries()) {
    if (valued.includes(letter)) return index === letters.length - 1 ? 2 : 1
    if (!flags.includes(letter)) return null
  }
  return 1
}
