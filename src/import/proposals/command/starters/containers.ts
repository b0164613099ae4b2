/** Programs that start another program in a container, a pod or a virtual machine, and programs that only start a container. */
import { ENDS_EARLY, type Starter } from './starter.ts'

const DETACHED = /^-[itTqPQ]*d|^--detach(?:=true)?$/
/** Commands that start existing containers. */
const START: Starter = { rest: 'nothing', attaching: /^-\w*[ai]|^--(?:attach|interactive)$/ }
const EXEC_IN: Starter = {
  flags: 'ditTqP',
  valued: 'euw',
  longFlags: 'detach interactive tty no-TTY no-tty privileged latest',
  longValued: 'env env-file user workdir detach-keys index preserve-fds',
  skip: 1,
  isPlace: true,
  detaching: DETACHED,
}
const RUN_IN: Starter = {
  flags: 'ditTqPQ',
  valued: 'aceuhlmpvw',
  longFlags:
    'rm detach interactive tty init privileged read-only no-deps quiet quiet-pull quiet-build build service-ports publish-all ' +
    'no-healthcheck oom-kill-disable disable-content-trust sig-proxy use-aliases use-api-socket no-TTY no-tty remove-orphans ' +
    'replace rmi rootfs env-host no-hosts no-hostname http-proxy passwd read-only-tmpfs tls-verify unsetenv-all',
  longValued:
    'add-host annotation attach blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns cidfile cpu-count ' +
    'cpu-percent cpu-period cpu-quota cpu-rt-period cpu-rt-runtime cpu-shares cpus cpuset-cpus cpuset-mems detach-keys device ' +
    'device-cgroup-rule device-read-bps device-read-iops device-write-bps device-write-iops dns dns-opt dns-option dns-search ' +
    'domainname entrypoint env env-file env-from-file expose gpus group-add health-cmd health-interval health-retries ' +
    'health-start-interval health-start-period health-timeout hostname io-maxbandwidth io-maxiops ip ip6 ipc isolation ' +
    'kernel-memory label label-file link link-local-ip log-driver log-opt mac-address memory memory-reservation memory-swap ' +
    'memory-swappiness mount name net net-alias network network-alias oom-score-adj pid pids-limit platform publish pull restart ' +
    'runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver ' +
    'volumes-from workdir arch authfile cgroup-conf cgroups conmon-pidfile gidmap hooks-dir hosts-file image-volume init-ctr ' +
    'init-path log-level os passwd-entry personality pidfile pod pod-id-file preserve-fds requires retry retry-delay sdnotify ' +
    'secret subgidname subuidname systemd timeout tz uidmap umask unsetenv variant',
  rest: 'image',
  detaching: DETACHED,
}
const COMPOSE: Starter = {
  valued: 'fpH',
  longValued: 'file project-name profile env-file project-directory ansi progress parallel host context log-level',
  longFlags: 'compatibility all-resources dry-run verbose no-ansi tls',
  subcommands: {
    exec: EXEC_IN,
    run: RUN_IN,
    start: ENDS_EARLY,
    up: { rest: 'nothing', detaching: /^-d$|^--(?:detach|wait)(?:=true)?$/ },
  },
}
const ENGINES: Starter = {
  flags: 'Dr',
  valued: 'cHl',
  longValued: 'context config host log-level url connection identity namespace address root runroot storage-driver',
  longFlags: 'debug remote tls tlsverify syslog',
  subcommands: {
    exec: EXEC_IN,
    run: RUN_IN,
    start: START,
    container: { subcommands: { exec: EXEC_IN, run: RUN_IN, start: START } },
    compose: COMPOSE,
  },
}
const CLUSTER = {
  valued: 'nsv',
  longValued: 'namespace context kubeconfig cluster server user as as-group token request-timeout',
} as const
const KUBERNETES: Starter = {
  ...CLUSTER,
  subcommands: {
    create: { ...CLUSTER, subcommands: { job: ENDS_EARLY } },
    rollout: { ...CLUSTER, subcommands: { restart: ENDS_EARLY, undo: ENDS_EARLY } },
    exec: {
      flags: 'itq',
      valued: 'cnf',
      longFlags: 'stdin tty quiet',
      longValued: `${CLUSTER.longValued} container filename pod-running-timeout`,
      skip: 1,
      isPlace: true,
    },
    run: { rest: 'nothing', attaching: /^-\w*i|^--(?:attach|stdin)(?:=true)?$/ },
  },
}
const RELEASE: Starter = { rest: 'nothing', attaching: /^--(?:wait|wait-for-jobs|atomic|rollback-on-failure)(?:=|$)/ }
const HELM: Starter = {
  valued: 'n',
  longValued: 'namespace kube-context kubeconfig kube-token kube-apiserver',
  longFlags: 'debug',
  subcommands: { install: RELEASE, upgrade: RELEASE, rollback: RELEASE },
}
const CLOUD = { longFlags: '*', longValued: 'profile region project account output format' } as const
/** Commands that submit jobs to cloud services and cluster schedulers. */
const ARGO: Starter = {
  ...CLUSTER,
  subcommands: { submit: { rest: 'nothing', attaching: /^(?:-w|--wait|--watch|--log)$/ } },
}
const AWS: Starter = { ...CLOUD, subcommands: { ecs: { ...CLOUD, subcommands: { 'run-task': ENDS_EARLY } } } }
const GCLOUD: Starter = {
  ...CLOUD,
  subcommands: {
    run: { subcommands: { jobs: { subcommands: { execute: { rest: 'nothing', attaching: /^--wait$/ } } } } },
  },
}
const GITHUB: Starter = { subcommands: { workflow: { subcommands: { run: ENDS_EARLY } } } }
/** Commands that run a program in an Incus, LXD or Proxmox instance. */
const INSTANCES: Starter = {
  subcommands: {
    exec: { flags: 'tTn', longValued: 'env user group cwd mode', longFlags: '*', skip: 1, isPlace: true },
    start: ENDS_EARLY,
  },
}
/** Commands that run Apptainer and Singularity images. */
const IMAGES: Starter = {
  flags: 'dqsv',
  subcommands: Object.fromEntries(
    ['exec', 'run'].map((subcommand): [string, Starter] => [
      subcommand,
      {
        flags: 'aceCfpiuw',
        valued: 'BHSW',
        longFlags: '*',
        longValued:
          'add-caps app apply-cgroups bind blkio-weight blkio-weight-device cpu-shares cpus cpuset-cpus cpuset-mems cwd dns docker-host ' +
          'drop-caps env env-file fusemount home hostname memory memory-reservation memory-swap mount network network-args overlay ' +
          'oom-score-adj pem-path pids-limit pwd scratch security workdir',
        ...(subcommand === 'exec' ? { skip: 1 } : { rest: 'image' }),
      },
    ]),
  ),
}

export const CONTAINERS: Readonly<Record<string, Starter>> = {
  apptainer: IMAGES,
  argo: ARGO,
  aws: AWS,
  docker: ENGINES,
  'docker-compose': COMPOSE,
  gcloud: GCLOUD,
  gh: GITHUB,
  helm: HELM,
  incus: INSTANCES,
  jexec: { flags: 'l', valued: 'uU', skip: 1, isPlace: true },
  k3s: { subcommands: { kubectl: KUBERNETES } },
  kubectl: KUBERNETES,
  lxc: INSTANCES,
  'lxc-attach': { valued: 'nu', longValued: 'name', longFlags: 'clear-env' },
  machinectl: {
    flags: 'q',
    valued: 'HM',
    longFlags: 'quiet',
    longValued: 'host machine uid setenv',
    subcommands: {
      shell: { flags: 'q', valued: 'E', longFlags: 'quiet', longValued: 'uid setenv', skip: 1, isPlace: true },
    },
  },
  microk8s: { subcommands: { kubectl: KUBERNETES } },
  nerdctl: ENGINES,
  nsenter: {
    flags: 'mnuipCUTwrFa',
    valued: 'tSG',
    longValued: 'target setuid setgid',
    longFlags: 'all mount uts ipc net pid',
  },
  oc: KUBERNETES,
  pct: INSTANCES,
  podman: ENGINES,
  'podman-compose': COMPOSE,
  singularity: IMAGES,
  'systemd-nspawn': {
    flags: 'qxbaUP',
    valued: 'DMiuEpS',
    longFlags: '*',
    longValued: 'directory image user machine bind bind-ro setenv',
  },
  unshare: { flags: 'mnuipCUTrf' },
}
