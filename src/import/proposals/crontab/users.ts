/** Determines whether a crontab has a user column between schedules and commands. Only system crontabs have this column. */

import { isInterpreter, isScriptName } from '../command/interpreters.ts'
import { isGuard } from '../command/job-name.ts'
import { starterOf } from '../command/starters/starters.ts'
import { type Problem, problemOf } from '../proposal.ts'
import type { CronJobLine, CrontabLayout } from './lines.ts'

/**
 * The kind of the first word after the schedule. `perhaps` means that the word may be a user, because a program or a path follows.
 * `unclear` means that the word may be a user, but something else follows.
 */
type Beginning = 'user' | 'perhaps' | 'unclear' | 'program'

/**
 * Returns problems with jobs that do not match the given layout. With the wrong layout, a job could run as the wrong user, or a password
 * could become the job's name.
 * @param isCertain true if the file's path or a heading determines the layout; false if a user chose it
 */
export function layoutProblems(
  jobs: readonly CronJobLine[],
  layout: CrontabLayout,
  isCertain: boolean,
): ReadonlyMap<CronJobLine, Problem> {
  if (layout === 'anacron') return new Map()
  const beginnings = jobs.map((job) => [job, beginningOf(job)] as const)
  const all = new Set(beginnings.map(([, beginning]) => beginning))
  const isOfSystem = all.has('user') && !all.has('program')
  const isOfUser = all.has('program') && !all.has('user')
  const right: Readonly<Record<Beginning, boolean>> =
    layout === 'user'
      ? { user: false, perhaps: isOfUser || (isCertain && !isOfSystem), unclear: !isOfSystem, program: true }
      : { user: true, perhaps: isOfSystem || (isCertain && !isOfUser), unclear: isOfSystem, program: false }
  const problems = layout === 'user' ? IN_THAT_OF_USER : IN_THAT_OF_SYSTEM
  return new Map(beginnings.flatMap(([job, beginning]) => (right[beginning] ? [] : [[job, problems[beginning]]])))
}

const HAS_USER = problemOf(
  'A user seems to be between the schedule and the command.',
  'If each line has a user, mark it as a system crontab. If the word is a program, write it with its path.',
)
const HAS_NO_USER = problemOf(
  'A program is in the place of the user in a system crontab.',
  'Write the user before the command. If no line has a user, it is the crontab of one user: save it outside of /etc, and do not mark it as one of the system.',
)
const HAS_UNKNOWN_USER = problemOf(
  'It is not clear whether a user or a program follows the schedule, and an argument must not become a name.',
  'If the file is from /etc/cron.d, give it by a path in a folder of that name. If no line has a user, do not mark it as a system crontab.',
)
const HAS_UNKNOWN_COMMAND = problemOf(
  'It is not clear whether a user or a program follows the schedule, and an argument must not become a name.',
  'If it is a user, write the command with its path. If no line has a user, do not mark it as a system crontab.',
)

type Problems = Readonly<Record<Beginning, Problem>>

const IN_THAT_OF_USER: Problems = { user: HAS_USER, perhaps: HAS_USER, unclear: HAS_USER, program: HAS_USER }
const IN_THAT_OF_SYSTEM: Problems = {
  user: HAS_NO_USER,
  perhaps: HAS_UNKNOWN_USER,
  unclear: HAS_UNKNOWN_COMMAND,
  program: HAS_NO_USER,
}

/** Matches `deploy`, `jane.doe`, `svc$`, and FreeBSD's `user:group/class`; `bin/job` is a path. */
const LOCAL = /^([a-z_\x80-\xff][\w.+\x80-\xff-]*\$?)(:[a-z_][\w.-]*)?(\/[\w.-]+)?$/i
/** Matches users of a directory service, such as `EXAMPLE\svc` and `svc@ad.example.org`. */
const REMOTE = /^[\w.-]+(?:\\{1,2}[\w.-]+\$?|@[\w-]+(?:\.[\w-]+)+)$/

function beginningOf({ user, command }: CronJobLine): Beginning {
  const [first = '', second = ''] = `${user === null ? '' : `${user} `}${command.trim()}`.split(/[ \t]+/, 2)
  if (REMOTE.test(first)) return 'user'
  const own = LOCAL.exec(first)
  const [, name = '', group, login] = own ?? []
  if (own === null) return 'program'
  const hasOption = second.startsWith('-')
  if (isUser(name) || group !== undefined) return user !== null && hasOption ? 'program' : 'user'
  const hasPath = /^(?:[./~]|\$\w+\/)/.test(second)
  if (hasOption || login !== undefined) return 'program'
  if (isProgram(first) && first !== second && !isUserOfProgram(name, second, hasPath)) return 'program'
  // None of these words is ever an argument, so the first word is a user.
  if (SHELL_WORD.test(second)) return 'user'
  return hasPath || isProgram(second) || second.startsWith(first) ? 'perhaps' : 'unclear'
}

const SHELL_WORD = /^(?:cd|if|\[\[|\{|!)$/

/**
 * Returns true for words such as `mysql /usr/bin/mysqldump` and `git cd /srv`, where the first word must be a user, because the program of
 * that name does not accept such an argument.
 */
function isUserOfProgram(name: string, second: string, hasPath: boolean): boolean {
  if (!PROGRAMS_WITH_USERS.has(name)) return false
  return hasPath || second.startsWith(name) || isInterpreter(second) || SHELL_WORD.test(second)
}

/** Programs that have a user of the same name and do not take a path as their first argument. */
const PROGRAMS_WITH_USERS = new Set(
  (
    'ansible asterisk at borg certbot daemon ftp git gitea gitlab-runner go hg http httpd influx logcheck mail ' +
    'mailman mariadb mysql nginx npm pm2 puppet rails rclone restic smokeping svn vagrant wp'
  ).split(' '),
)

/** Users that systems and packages create. Words that are also common script names, such as `list` and `admin`, are omitted. */
const USERS = new Set(
  (
    'root toor nobody www-data www wwwrun apache operator adm irc gnats uucp messagebus systemd-network ' +
    'systemd-timesync redis memcache mongodb couchdb elasticsearch rabbitmq tomcat jenkins gitlab git-data zabbix ' +
    'nagios icinga munin amavis clamav opendkim postgres pgsql grafana prometheus telegraf influxdb vmail ' +
    'librenms smmsp mailnull postdrop mythtv nextcloud ubuntu debian centos fedora ec2-user pi cacti'
  ).split(' '),
)

const isUser = (name: string) => USERS.has(name) || /^(?:_[a-z]|Debian-[a-z])/.test(name)

/** Programs that crontabs usually start without a path. Programs that start other programs are not included. */
const PROGRAMS = new Set(
  (
    'acme-client acme.sh adjkerntz ansible-playbook apt apt-get aptitude aws awk az barman bash borgmatic btrfs ' +
    'bzip2 cat chef-client chgrp chmod chown clamscan composer cp curl cut date dd df dnf dpkg drush du duplicity ' +
    'echo etckeeper expect fetch find freshclam fstrim gcloud gem goaccess grep gsutil gzip hdparm head ' +
    'journalctl kill killall lftp ln logger logrotate ls lynx lzop mailx mdadm mkdir mongodump mount msmtp mv ' +
    'mysqladmin mysqlcheck mysqldump mariadb-dump newsyslog npx occ pacman periodic pip pip3 pkg pkill printf ' +
    'psql rake reboot redis-cli rdiff-backup rm rmdir rsnapshot rsync run-parts s3cmd scp screen sed sendmail ' +
    'service sftp shutdown smartctl snap sort sqlite3 supervisorctl swaks sync systemctl tail tar tee tmux touch ' +
    'tmpwatch tmpreaper truncate ts-node tsx umount unzip updatedb vacuumdb wakeonlan wget xargs xz yarn yum zfs ' +
    'zip zpool zstd zypper make gmake php-cli'
  ).split(' '),
)

function isProgram(word: string): boolean {
  if (PROGRAMS.has(word) || PROGRAMS_WITH_USERS.has(word) || isScriptName(word) || isInterpreter(word)) return true
  return (
    starterOf(word) !== null || isGuard(word) || /^(?:!|\{|if|while|until|for|(?:ea-|ls)?php[\w.-]*|pg\w+)$/.test(word)
  )
}
