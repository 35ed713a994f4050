#!/usr/bin/env python3
"""Compares what we read and write with Debian's dexdump, method by method.

    tests/dexdump.py MARMOSET APK-OR-FOLDER...

For each APK, both must agree on the classes, the methods with their access flags, and the registers and code sizes of
each. Then probes go into every block, and dexdump, which verifies the structure of a file before it shows it, must
accept each DEX file written and agree on that as well. Prints a line per APK and exits with 1 if any differs. Says so,
and exits with 0, where dexdump or APKs are missing.

APKs to try come from npm by name: `npm pack android-apidemos@5.0.0 io.appium.settings@8.0.10
appium-uiautomator2-server@10.6.6`.
"""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

Method = collections.namedtuple("Method", "type name descriptor access registers ins outs units")


def ours(marmoset, apk):
    """Its methods and the number of its classes."""
    info = subprocess.run([marmoset, "--json", "apk", "info", apk], check=True, capture_output=True).stdout
    out = subprocess.run([marmoset, "apk", "dump", apk], check=True, capture_output=True).stdout
    lines = out.decode("utf-8", "replace").split("\n")[1:-1]
    methods = []
    for line in lines:
        type_, name, descriptor, access, *code = line.split("\t")
        methods.append(Method(type_, name, descriptor, int(access, 16), *map(int, code)))
    return methods, json.loads(info)["classes"]


def dexdumps(apk):
    """Its methods, the numbers of classes and of DEX files, and what it complained about."""
    methods, classes, files = [], 0, 0
    fields = {}

    def take():
        if "type" in fields and fields["type"].startswith("("):
            code = [int(fields.get(key, 0)) for key in ("registers", "ins", "outs", "insns size")]
            methods.append(Method(fields["in"], fields["name"], fields["type"], fields["access"], *code))
        fields.clear()

    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(["dexdump", apk], stdout=subprocess.PIPE, stderr=errors)
        for raw in process.stdout:
            line = raw.decode("utf-8", "replace").rstrip("\n")
            if line.startswith("Opened "):
                files += 1
            elif line.startswith("  Class descriptor"):
                classes += 1
            elif match := re.match(r"    #\d+ +: \(in (.*)\)$", line):
                take()
                fields["in"] = match[1]
            elif match := re.match(r"      (name|type) +: '(.*)'$", line):
                fields[match[1]] = match[2]
            elif match := re.match(r"      access +: 0x([0-9a-f]+)", line):
                fields["access"] = int(match[1], 16)
            elif match := re.match(r"      (registers|ins|outs|insns size) +: (\d+)", line):
                fields[match[1]] = match[2]
        take()
        status = process.wait()
        errors.seek(0)
        complaints = errors.read().decode("utf-8", "replace").splitlines()
    if status != 0:
        complaints.append(f"exit status {status}")
    return methods, classes, files, complaints


def compare(marmoset, apk):
    """What differs, and a line of counts."""
    mine, classes = ours(marmoset, apk)
    mine = collections.Counter(mine)
    theirs, their_classes, files, complaints = dexdumps(apk)
    theirs = collections.Counter(theirs)
    differences = [f"dexdump says: {line}" for line in complaints]
    differences += [f"only ours:    {method}" for method in mine - theirs]
    differences += [f"only dexdump: {method}" for method in theirs - mine]
    if classes != their_classes:
        differences.append(f"{classes} classes are ours, {their_classes} dexdump's")
    units = sum(method.units * count for method, count in mine.items())
    return differences, f"{files} files, {classes} classes, {sum(mine.values())} methods, {units} units"


def main():
    marmoset, *places = sys.argv[1:]
    if shutil.which("dexdump") is None:
        print("skipped: dexdump is not installed")
        return 0
    apks = []
    for place in map(pathlib.Path, places):
        apks += sorted(place.rglob("*.apk")) if place.is_dir() else [place] if place.exists() else []
    if not apks:
        print("skipped: no APKs in", *places)
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for apk in apks:
            probed = f"{folder}/probed.apk"
            command = [marmoset, "apk", "instrument", apk, "--blocks", "-o", probed, "--key", f"{folder}/key.pem"]
            subprocess.run(command, check=True, capture_output=True)
            for what, file in ("as it is", apk), ("with probes", probed):
                differences, counts = compare(marmoset, file)
                failed += bool(differences)
                print(f"{apk.name} {what}: {counts}: {'DIFFERS' if differences else 'agrees'}", flush=True)
                for line in differences[:10]:
                    print("   ", line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
