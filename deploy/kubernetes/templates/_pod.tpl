{{- /* The pod of a StatefulSet or a Deployment. */ -}}
{{- define "overdue.pod" -}}
{{- $isShared := eq (include "overdue.isShared" .) "true" -}}
{{- if and .Values.mail.enabled (not .Values.config.PING_EMAIL_DOMAIN) }}
{{- fail "mail.enabled needs config.PING_EMAIL_DOMAIN, what the addresses of checks end with, such as ping.example.org" }}
{{- end }}
{{- if and $isShared (not .Values.database.url) (not .Values.existingSecret) }}
{{- fail "database.engine=postgres needs existingSecret, a secret with the key DATABASE_URL, or database.url" }}
{{- end }}
{{- if and .Values.database.url (not $isShared) }}
{{- fail "database.url needs database.engine=postgres" }}
{{- end -}}
metadata:
  labels:
    {{- include "overdue.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with .Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # The server stops within five seconds{{ if $isShared }} after drainSeconds{{ end }}; the rest is for a busy machine.
  terminationGracePeriodSeconds: {{ ternary (add 15 .Values.drainSeconds) 15 $isShared }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: overdue
      image: {{ include "overdue.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      env:
        {{- if $isShared }}
        - name: DATABASE_URL
          {{- if .Values.database.url }}
          value: {{ .Values.database.url | quote }}
          {{- else }}
          valueFrom:
            secretKeyRef: { name: {{ .Values.existingSecret | quote }}, key: DATABASE_URL }
          {{- end }}
        # A terminating pod keeps serving until no more requests are routed to it, which takes a moment.
        - name: DRAIN_SECONDS
          value: {{ .Values.drainSeconds | int64 | toString | quote }}
        {{- end }}
        {{- range $name, $value := .Values.config }}
        - name: {{ $name }}
          {{- /* Numbers are floats here, and large ones would be written with an exponent. */}}
          value: {{ if kindIs "float64" $value }}{{ $value | int64 | toString | quote }}{{ else }}{{ $value | toString | quote }}{{ end }}
        {{- end }}
        {{- if .Values.mail.enabled }}
        - name: SMTPD_PORT
          value: "2525"
        {{- end }}
      {{- with .Values.existingSecret }}
      envFrom:
        - secretRef: { name: {{ . | quote }} }
      {{- end }}
      ports:
        - { name: http, containerPort: 8000 }
        {{- if .Values.mail.enabled }}
        - { name: smtp, containerPort: 2525 }
        {{- end }}
      # The server migrates an older database before it answers: allow ten minutes.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 300
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        timeoutSeconds: 5
        failureThreshold: 6
      {{- if $isShared }}
      # A probe of the database would fail in all pods at once while it is away, and clients would get no connection. With this one
      # they get 503 and Retry-After from the pods, and pings are accepted as soon as the database is back.
      readinessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 2
      {{- else }}
      # While another process keeps the database locked, the answer takes up to five seconds.
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        timeoutSeconds: 8
      {{- end }}
      resources: {{- toYaml .Values.resources | nindent 8 }}
      {{- if not $isShared }}
      volumeMounts:
        - { name: data, mountPath: /data }
      {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .Values.affinity }}
  affinity: {{- toYaml .Values.affinity | nindent 4 }}
  {{- else if $isShared }}
  # On different machines, and in different zones, as far as there are any.
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        {{- range $weight, $key := dict "100" "kubernetes.io/hostname" "50" "topology.kubernetes.io/zone" }}
        - weight: {{ $weight }}
          podAffinityTerm:
            topologyKey: {{ $key }}
            labelSelector:
              matchLabels: {{- include "overdue.selector" $ | nindent 16 }}
        {{- end }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- if and .Values.persistence.existingClaim (not $isShared) }}
  volumes:
    - name: data
      persistentVolumeClaim: { claimName: {{ .Values.persistence.existingClaim | quote }} }
  {{- end }}
{{- end }}
