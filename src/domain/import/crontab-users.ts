/** Whether users stand between the schedules and the commands of a crontab, as they do in those of the system only. */
import type { CronJobLine, CrontabLayout } from './crontab-lines.ts'
import { isInterpreter, isScriptName } from './interpreters.ts'
import { isGuard } from './job-name.ts'
import { type Problem, problemOf } from './proposal.ts'
import { starterOf } from './starters.ts'

/**
 * What the first word behind the schedule is. `perhaps`: an unknown word without a path, and a program follows. `unclear`: something
 * else follows it.
 */
type Beginning = 'user' | 'perhaps' | 'unclear' | 'program'

/** The jobs that are not in the layout that is said. Each could run as another user or with a password as its name. */
export function layoutProblems(jobs: readonly CronJobLine[], layout: CrontabLayout): ReadonlyMap<CronJobLine, Problem> {
  if (layout === 'anacron') return new Map()
  const beginnings = jobs.map((job) => [job, beginningOf(job)] as const)
  const all = new Set(beginnings.map(([, beginning]) => beginning))
  const isOfSystem = all.has('user') && !all.has('program')
  const isOfUser = all.has('program') && !all.has('user')
  const isRight = (beginning: Beginning) =>
    layout === 'user'
      ? beginning === 'program' || (beginning === 'perhaps' && isOfUser) || (beginning === 'unclear' && !isOfSystem)
      : beginning === 'user' || (beginning === 'perhaps' && !isOfUser) || (beginning === 'unclear' && isOfSystem)
  const wrong = beginnings.filter(([, beginning]) => !isRight(beginning))
  return new Map(wrong.map(([job]) => [job, layout === 'user' ? HAS_USER : HAS_NO_USER]))
}

const HAS_USER = problemOf(
  'A user seems to stand between the schedule and the command.',
  'If each line has a user, say that it is a crontab of the system. If the word is a program, write it with its path.',
)
const HAS_NO_USER = problemOf(
  'No user seems to stand between the schedule and the command, as in crontabs of the system.',
  'If it is the crontab of one user, give it as a file outside of /etc, and do not say that it is one of the system. Otherwise write the command with its path.',
)

function beginningOf({ user, command }: CronJobLine): Beginning {
  const [first = '', second = ''] = `${user === null ? '' : `${user} `}${command.trim()}`.split(/[ \t]+/, 2)
  const own = /^([A-Za-z_][\w.-]*)(:[A-Za-z_][\w.-]*)?(\/[\w.-]+)?$/.exec(first)
  // FreeBSD has `user:group/class`; `bin/job` is a path.
  const [, name = '', group, login] = own ?? []
  if (own === null) return 'program'
  const hasOption = second.startsWith('-')
  if (isUser(name) || group !== undefined) return user !== null && hasOption ? 'program' : 'user'
  if (hasOption || login !== undefined || isProgram(first)) return 'program'
  return isProgram(second) || /^(?:[./~]|\$\w+\/)/.test(second) ? 'perhaps' : 'unclear'
}

/** Users that packages and systems create, unless a program has that name, too. */
const USERS = new Set(
  (
    'root toor nobody www-data www wwwrun http apache httpd nginx daemon operator adm games news proxy list irc gnats uucp ' +
    'messagebus systemd-network systemd-timesync redis memcache mongodb couchdb elasticsearch rabbitmq tomcat jenkins gitlab gitea ' +
    'git-data zabbix nagios icinga munin asterisk amavis clamav debian-spamd debian-exim opendkim smmsp mailnull postdrop ' +
    'logcheck mythtv nextcloud ubuntu debian centos fedora ec2-user vagrant pi admin administrator mailman smokeping cacti'
  ).split(' '),
)

const isUser = (name: string) => USERS.has(name) || /^_[a-z]/.test(name)

/** Programs that crontabs begin without a path, apart from those that begin others. */
const PROGRAMS = new Set(
  (
    'acme-client acme.sh adjkerntz ansible ansible-playbook apt apt-get aptitude at aws awk az barman bash borg borgmatic btrfs bzip2 ' +
    'cat certbot chef-client chgrp chmod chown clamscan composer cp curl cut date dd df dnf dpkg drush du duplicity echo etckeeper ' +
    'expect fetch find freshclam fstrim ftp gcloud gem go goaccess grep gsutil gzip hdparm head influx journalctl kill killall ' +
    'lftp ln logger logrotate ls lynx lzop mail mailx mdadm mkdir mongodump mount msmtp mv mysql mysqladmin mysqlcheck mysqldump ' +
    'mariadb mariadb-dump newsyslog npm npx occ pacman periodic pip pip3 pkg pkill ' +
    'pm2 printf psql puppet rails rake rclone reboot redis-cli rdiff-backup restic rm rmdir rsnapshot rsync run-parts s3cmd scp ' +
    'screen sed sendmail service sftp shutdown smartctl snap sort sqlite3 supervisorctl svn swaks sync systemctl tail tar tee ' +
    'tmux touch tmpwatch tmpreaper truncate ts-node tsx umount unzip updatedb vacuumdb wakeonlan wget wp xargs xz yarn yum zfs zip ' +
    'zpool zstd zypper make gmake git hg php-cli'
  ).split(' '),
)

function isProgram(word: string): boolean {
  if (PROGRAMS.has(word) || isScriptName(word) || isInterpreter(word)) return true
  return (
    starterOf(word) !== null || isGuard(word) || /^(?:!|\{|if|while|until|for|(?:ea-|ls)?php[\w.-]*|pg\w+)$/.test(word)
  )
}
