/** Programs that start another program as another user, or with other privileges. */
import type { Starter } from './starter.ts'

const AS_USER: Starter = { skip: 1 }
const SWITCH_USER: Starter = { rest: 'nothing', line: /^(?:-\w*?c|--command=?)(.*)$/s }

export const USERS: Readonly<Record<string, Starter>> = {
  chroot: { skip: 1, longValued: 'userspec groups', longFlags: 'skip-chdir' },
  doas: { flags: 'n', valued: 'uC' },
  gosu: AS_USER,
  runuser: SWITCH_USER,
  's6-setuidgid': AS_USER,
  setpriv: {
    longFlags: 'clear-groups keep-groups init-groups reset-env no-new-privs nnp',
    longValued: 'reuid regid ruid euid rgid egid groups inh-caps ambient-caps bounding-set securebits pdeathsig',
  },
  setuidgid: AS_USER,
  sg: { skip: 1, valued: 'c', rest: 'line', line: /^-c(.*)$/s },
  su: SWITCH_USER,
  'su-exec': AS_USER,
  sudo: {
    flags: 'AbEHiknPSsBN',
    valued: 'CDghprRTtu',
    longValued: 'user group chdir prompt close-from host role type',
    longFlags: 'login non-interactive preserve-env set-home background shell stdin',
    detaching: /^-[AEHiknPSsBN]*b|^--background$/,
  },
}
