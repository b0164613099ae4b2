import { describe, expect, test } from 'bun:test'
import { writeDropIns } from '../../../../src/import/proposals/systemd/drop-ins.ts'
import { ID, plan, service, URL } from '../unit-files.ts'

describe('a service whose commands cannot ping', () => {
  const inService = (settings: string) => service(`[Service]\nType=oneshot\nExecStart=/bin/job\n${settings}\n`)

  test('gets units of their own, which ping when it has ended', () => {
    const found = inService('PrivateNetwork=yes')
    expect(found.notes).toMatchObject([
      {
        kind: 'changed',
        name: 'job.service',
        reason: 'Its PrivateNetwork= may prevent its commands from reaching the server.',
      },
    ])
    const files = writeDropIns(found, () => URL)
    expect(files.map(({ path }) => path)).toEqual([
      '/etc/systemd/system/job.service.d/zz-overdue.conf',
      '/etc/systemd/system/overdue-success@.service',
      '/etc/systemd/system/overdue-failure@.service',
    ])
    expect(files[0]?.text).toBe(
      `[Unit]\nOnSuccess=overdue-success@${ID}.service\nOnFailure=overdue-failure@${ID}.service\n`,
    )
  })

  test.each([
    'PrivateNetwork=1',
    'NetworkNamespacePath=/run/netns/vpn',
    'IPAddressDeny=any',
    'IPAddressDeny=any\nIPAddressAllow=10.0.0.0/8',
    'IPAddressDeny=localhost',
    'RestrictAddressFamilies=AF_UNIX',
    'RestrictAddressFamilies=none',
    'RestrictAddressFamilies=~AF_INET AF_INET6',
    'RestrictAddressFamilies=AF_UNIX AF_INET\nRestrictAddressFamilies=~AF_INET',
    'RestrictNetworkInterfaces=lo',
    'SystemCallFilter=~@network-io',
    'SystemCallFilter=~socket:EPERM',
    'SystemCallFilter=@basic-io @file-system',
    'SystemCallFilter=@system-service\nSystemCallFilter=~@process @privileged',
    'RootDirectory=/srv/root',
    'RootImage=/srv/image.raw',
    'TemporaryFileSystem=/:ro\nBindReadOnlyPaths=/opt/job',
    'TemporaryFileSystem=/run:mode=0755',
    'InaccessiblePaths=-/usr/bin/curl',
    'InaccessiblePaths=/opt /bin',
    'NoExecPaths=/\nExecPaths=/usr/bin/job /usr/lib',
    'Environment=A=1 "PATH=/opt/bin:/opt/sbin"',
    'ExecSearchPath=/opt/bin',
    'AppArmorProfile=-job',
    'TasksMax=1',
    'MemoryMax=16M',
    'MemoryMax=infinity\nMemoryMax=20971520',
    'MemoryHigh=31.5M',
    'MemoryLimit=8K',
    'CPUQuota=1%',
    'LimitAS=16M',
    'LimitAS=8M:infinity',
    'LimitDATA=1M',
    'LimitSTACK=64K',
    'LimitNOFILE=4',
    'LimitNOFILE=8:524288',
    'User=job\nLimitNPROC=1',
    'DynamicUser=yes\nLimitNPROC=2:4',
    'RestrictFileSystems=ext4',
    'RestrictFileSystems=ext4 tmpfs proc',
    'RestrictFileSystems=~@common-block',
    'RestrictFileSystems=@basic-api @common-block\nRestrictFileSystems=~tmpfs',
    'BPFProgram=connect4:/sys/fs/bpf/filter',
    'BindReadOnlyPaths=/opt/empty:/usr/bin',
    'BindPaths=/var/tmp -/srv/resolv.conf:/etc/resolv.conf',
    'InaccessiblePaths=/etc/pki',
    'Environment=PATH=/usr/bin\nEnvironment=PATH=/opt/bin',
    'Environment=PATH=/usr/bin PATH=/opt/bin',
    'TimeoutStopSec=10',
    'TimeoutStartSec=5s',
    'TimeoutSec=20',
    'StandardOutput=truncate:/var/log/job.log',
    'StandardError=file:/var/log/job.log',
  ])('%s', (settings) => {
    const found = inService(settings)
    expect(found.notes).toMatchObject([{ kind: 'changed', name: 'job.service' }])
    expect(writeDropIns(found, () => URL)[0]?.text).not.toContain('ExecStart')
  })

  test.each([
    'PrivateNetwork=no',
    'PrivateNetwork=yes\nPrivateNetwork=',
    'IPAddressDeny=any\nIPAddressAllow=any',
    'IPAddressDeny=169.254.169.254 multicast',
    'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6',
    'RestrictAddressFamilies=~AF_PACKET AF_NETLINK',
    'SocketBindDeny=any',
    'SystemCallFilter=@system-service\nSystemCallFilter=~@privileged @resources',
    'SystemCallFilter=~@mount @reboot',
    'RootDirectory=/srv/root\nRootDirectoryStartOnly=yes',
    'RootDirectory=/',
    'NoExecPaths=/\nExecPaths=/usr',
    'NoExecPaths=/tmp /var',
    'InaccessiblePaths=/home /root -/usr/libexec',
    'TemporaryFileSystem=/var:ro',
    'Environment=PATH=/opt/bin:/usr/bin',
    'User=nobody\nDynamicUser=yes\nPrivateUsers=yes',
    'ProtectSystem=strict\nProtectHome=yes\nPrivateTmp=yes\nPrivateDevices=yes\nMemoryDenyWriteExecute=yes',
    'CapabilityBoundingSet=\nNoNewPrivileges=yes\nRestrictNamespaces=yes\nLockPersonality=yes',
    'TimeoutStopSec=90\nTimeoutStartSec=infinity\nRuntimeMaxSec=10',
    'TimeoutSec=0',
    'TimeoutSec=5\nTimeoutSec=3min',
    'TasksMax=10%',
    'TasksMax=1\nTasksMax=infinity',
    'MemoryMax=32M',
    'MemoryMax=1%',
    'MemoryMax=1G\nMemoryHigh=0.5G',
    'MemoryMax=1M\nMemoryMax=infinity',
    'CPUQuota=20%',
    'LimitNOFILE=1024:524288',
    'LimitNPROC=1',
    'User=root\nLimitNPROC=1',
    'User=job\nLimitNPROC=512',
    'LimitAS=infinity\nLimitCORE=0\nLimitFSIZE=0\nLimitMEMLOCK=0',
    'RestrictFileSystems=@basic-api @common-block',
    'RestrictFileSystems=~fuse nfs @security',
    'BindPaths=/srv/data:/data /usr/bin',
    'Environment=PATH=/opt/bin\nEnvironment=PATH=/opt/bin:/usr/bin',
    'Environment=PATH=/opt/bin\nEnvironment=\nEnvironment=A=1',
    'Environment=MANPATH=/opt/man',
    'Slice=system.slice',
    'StandardOutput=append:/var/log/job.log',
  ])('but not by %s', (settings) => {
    const found = inService(settings)
    expect(found.notes).toEqual([])
    expect(writeDropIns(found, () => URL)).toHaveLength(1)
  })

  test('by drop-ins for services with a name before a dash, or for its template', () => {
    for (const folder of ['my-.service.d', 'my-job@.service.d']) {
      const { notes } = plan({
        'my-job@a.timer': '[Timer]\nOnCalendar=daily\n',
        'my-job@.service': '[Service]\nExecStart=/bin/job\n',
        [`/etc/systemd/system/${folder}/10-net.conf`]: '\uFEFF[Service]\nPrivateNetwork=yes\n',
      })
      expect(notes).toMatchObject([{ kind: 'changed', name: 'my-job@a.service' }])
    }
  })
})

describe('slices', () => {
  const inSlice = (name: string, text: string, setting = 'Slice=jobs-nightly.slice') =>
    plan({
      '/etc/systemd/system/job.timer': '[Timer]\nOnCalendar=daily\n',
      '/etc/systemd/system/job.service': `[Service]\n${setting}\nExecStart=/bin/job\n`,
      [`/etc/systemd/system/${name}`]: text,
    })

  test.each([
    ['jobs-nightly.slice', '[Slice]\nIPAddressDeny=any\n', 'IPAddressDeny= of its slice jobs-nightly.slice'],
    ['jobs.slice.d/x.conf', '[Slice]\nMemoryMax=16M\n', 'MemoryMax= of its slice jobs.slice'],
  ])('of the service keep its commands from the server: %s', (name, text, reason) => {
    const { notes } = inSlice(name, text)
    expect(notes[0]).toMatchObject({ kind: 'changed', name: 'job.service', reason: expect.stringContaining(reason) })
  })

  test('allow what the service is denied, and the other way round', () => {
    const allowed = inSlice(
      'jobs-nightly.slice',
      '[Slice]\nIPAddressAllow=any\n',
      'Slice=jobs-nightly.slice\nIPAddressDeny=any',
    )
    const other = inSlice(
      'jobs-nightly.slice',
      '[Slice]\nIPAddressDeny=any\n',
      'Slice=jobs-nightly.slice\nIPAddressAllow=any',
    )
    expect([allowed.notes, other.notes]).toEqual([[], []])
  })

  test('that a service names without their file are named', () => {
    const { notes } = plan({
      'job.timer': '[Timer]\nOnCalendar=daily\n',
      'job.service': '[Service]\nSlice=jobs.slice\nExecStart=/bin/job\n',
    })
    expect(notes).toMatchObject([{ kind: 'to-do', name: 'job.service', reason: expect.stringContaining('jobs.slice') }])
  })

  test('of instances and users are known without Slice=', () => {
    const found = plan(
      {
        '/etc/systemd/system/my-dump@.timer': '[Timer]\nOnCalendar=daily\n',
        '/etc/systemd/system/my-dump@.service': '[Service]\nExecStart=/bin/dump\n',
        '/etc/systemd/system/system-my\\x2ddump.slice': '[Slice]\nTasksMax=3\n',
        '/home/ann/.config/systemd/user/dump.timer': '[Timer]\nOnCalendar=daily\n',
        '/home/ann/.config/systemd/user/dump.service': '[Service]\nExecStart=/bin/dump\n',
        '/home/ann/.config/systemd/user/app.slice': '[Slice]\nMemoryMax=9M\n',
      },
      ['a'],
    )
    expect(found.notes.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'my-dump@a.service: The TasksMax= of its slice system-my\\x2ddump.slice may be too low for curl.',
      'dump.service: The MemoryMax= of its slice app.slice may be too low for curl.',
    ])
  })
})

test('LimitNPROC= counts for every service of a user', () => {
  const found = plan({
    '/home/ann/.config/systemd/user/job.timer': '[Timer]\nOnCalendar=daily\n',
    '/home/ann/.config/systemd/user/job.service': '[Service]\nLimitNPROC=1\nExecStart=/bin/job\n',
  })
  expect(found.notes).toMatchObject([{ kind: 'changed', reason: expect.stringContaining('LimitNPROC=') }])
})

test('drop-ins for all services count for a service whose file was not given', () => {
  const found = plan({
    'job.timer': '[Timer]\nOnCalendar=daily\n',
    '/etc/systemd/system/job-.service.d/x.conf': '[Service]\nPrivateNetwork=yes\n',
    '/etc/systemd/system/service.d/x.conf': '[Service]\nTasksMax=4\n',
  })
  expect(found.notes).toMatchObject([{ kind: 'to-do', reason: 'Its TasksMax= may be too low for curl.' }])
})

test('a timer or a service of which only drop-ins were given says so', () => {
  const { checks, notes } = plan({
    '/etc/systemd/system/job.timer.d/x.conf': '[Timer]\nOnCalendar=daily\n',
    '/etc/systemd/system/job.service.d/x.conf': '[Service]\nNice=5\n',
  })
  expect(checks[0]?.why).toContainEqual(expect.stringContaining('only drop-ins of the timer were given'))
  expect(notes).toMatchObject([{ kind: 'to-do', name: 'job.service', advice: 'Give its file as well.' }])
})

test.each([
  ['service.d/net.conf', '[Service]\nPrivateNetwork=yes\n'],
  ['system.slice', '[Slice]\nIPAddressDeny=any\n'],
  ['-.slice', '[Slice]\nMemoryMax=16M\n'],
  ['job.service.d/x.conf', '[Service]\nPrivateNetwork=yes\n[Unit]\nOnFailureJobMode=isolate\n'],
])('no drop-in is written if units of their own could not ping either: %s', (name, text) => {
  const found = plan({
    '/etc/systemd/system/job.timer': '[Timer]\nOnCalendar=daily\n',
    '/etc/systemd/system/job.service': '[Service]\nExecStart=/bin/job\n',
    [`/etc/systemd/system/${name}`]: text,
  })
  expect(found.checks).toHaveLength(1)
  expect(found.notes).toMatchObject([
    { kind: 'to-do', name: 'job.service', advice: expect.stringContaining('no drop-in') },
  ])
  expect(writeDropIns(found, () => URL)).toEqual([])
})
