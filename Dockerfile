# The command as an image. In a clone, after npm ci:
#   mkdir -p build/image && npm pack --pack-destination build/image
#   docker build --tag admin-api-conformance .
FROM node:24.18.0-alpine@sha256:a0b9bf06e4e6193cf7a0f58816cc935ff8c2a908f81e6f1a95432d679c54fbfd AS install
WORKDIR /suite
COPY build/image/*.tgz ./
RUN npm install --ignore-scripts --no-audit --no-fund --no-update-notifier ./*.tgz && rm ./*.tgz

FROM node:24.18.0-alpine@sha256:a0b9bf06e4e6193cf7a0f58816cc935ff8c2a908f81e6f1a95432d679c54fbfd
COPY --from=install /suite /suite
RUN ln -s /suite/node_modules/.bin/admin-api-conformance /usr/local/bin/admin-api-conformance
# The journal of a run is here; a volume can be written to even if the root is read-only.
VOLUME /tmp
WORKDIR /work
# The user "node", as a number: Kubernetes needs one to see that it is not root.
USER 1000:1000
ENTRYPOINT ["admin-api-conformance"]
CMD ["help"]
