"""Writes a bill of materials (SPDX 2.3) beside each package: what it depends on, directly or not, as it was resolved when it was built.

sbom.py PACKAGES OBJ: the folder of the packages, and the one with obj/PROJECT/project.assets.json.
Microsoft.Sbom.Targets, which would do this, is not at every source of packages.
"""
import hashlib
import json
import pathlib
import sys
import uuid
import zipfile
import xml.etree.ElementTree as xml


def text_of(nuspec, name):
    element = nuspec.find(f"{{*}}metadata/{{*}}{name}")
    return None if element is None else element.text


def resolved(assets):
    """The libraries of a restore by lower-case name: version, dependencies, hash."""
    libraries = {}
    for target in assets["targets"].values():
        for key, library in target.items():
            name, version = key.split("/")
            libraries[name.lower()] = (name, version, list(library.get("dependencies", {})), assets["libraries"][key].get("sha512"))
    return libraries


def closure(libraries, names):
    found, left = {}, list(names)
    while left:
        key = left.pop().lower()
        if key in libraries and key not in found:
            found[key] = libraries[key]
            left += libraries[key][2]
    return found


def identifier(name, version):
    return "SPDXRef-" + "".join(letter if letter.isalnum() else "-" for letter in f"{name}-{version}")


def purl(name, version):
    return [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": f"pkg:nuget/{name}@{version}"}]


def bill(package, assets):
    with zipfile.ZipFile(package) as archive:
        nuspec = xml.fromstring(archive.read(next(name for name in archive.namelist() if name.endswith(".nuspec"))))
        # The newest of its files: the same package has the same bill.
        created = max(archive.infolist(), key=lambda entry: entry.date_time).date_time
    name, version = text_of(nuspec, "id"), text_of(nuspec, "version")
    dependencies = [element.get("id") for element in nuspec.iter() if element.tag.endswith("}dependency")]
    libraries = closure(resolved(assets[name]), dependencies) if name in assets else {}
    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    own = identifier(name, version)
    packages = [{
        "SPDXID": own, "name": name, "versionInfo": version, "supplier": "Organization: " + text_of(nuspec, "authors"), "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False, "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": text_of(nuspec, "copyright"),
        "checksums": [{"algorithm": "SHA256", "checksumValue": digest}], "externalRefs": purl(name, version),
    }]
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own}]
    for library, used, _, sha512 in sorted(libraries.values()):
        # A project of this repository has the version of this build.
        used = version if sha512 is None else used
        packages.append({
            "SPDXID": identifier(library, used), "name": library, "versionInfo": used, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION", "externalRefs": purl(library, used),
        })
    for key, (library, used, needs, sha512) in [("", (name, version, dependencies, None)), *sorted(libraries.items())]:
        for need in needs:
            if need.lower() in libraries:
                other = libraries[need.lower()]
                relations.append({
                    "spdxElementId": identifier(library, version if sha512 is None else used), "relationshipType": "DEPENDS_ON",
                    "relatedSpdxElement": identifier(other[0], version if other[3] is None else other[1])})
    return f"{name}.{version}", {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name} {version}",
        "documentNamespace": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_OID, f"{name} {version} {digest}")),
        "creationInfo": {"created": "%04d-%02d-%02dT%02d:%02d:%02dZ" % created, "creators": ["Tool: eng/package/sbom.py", "Organization: AsyncLog contributors"]},
        "packages": packages, "relationships": relations,
    }


def main():
    folder, objects = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    assets = {}
    for path in objects.rglob("project.assets.json"):
        content = json.loads(path.read_text())
        assets[content["project"]["restore"]["projectName"]] = content
    for package in sorted(folder.glob("*.nupkg")):
        name, document = bill(package, assets)
        (folder / f"{name}.spdx.json").write_text(json.dumps(document, indent=2) + "\n")


main()
