<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Found</name>
    <message>
        <source>Ops</source>
        <translation>Ops</translation>
    </message>
    <message>
        <source>No model is open.</source>
        <translation>Es ist kein Modell geöffnet.</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>shape unknown</source>
        <translation>Form unbekannt</translation>
    </message>
    <message>
        <source>No op makes or reads it.</source>
        <translation>Keine Op erzeugt oder liest ihn.</translation>
    </message>
    <message>
        <source>Drafts of the selected op</source>
        <translation>Entwürfe der gewählten Op</translation>
    </message>
    <message>
        <source>No op is selected.</source>
        <translation>Es ist keine Op gewählt.</translation>
    </message>
    <message>
        <source>Run %1 %2 %3 on %4</source>
        <translation>Lauf %1 %2 %3 auf %4</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>The project holds no runs yet.</source>
        <translation>Das Projekt enthält noch keine Läufe.</translation>
    </message>
    <message>
        <source>No project is open: save one to keep runs.</source>
        <translation>Es ist kein Projekt geöffnet: Speichern Sie eines, um Läufe zu behalten.</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>%1 decisions</source>
        <translation>%1 Entscheidungen</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt verwendete Dateien</translation>
    </message>
    <message>
        <source>The file no longer exists.</source>
        <translation>Die Datei gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>No file has been opened yet.</source>
        <translation>Es wurde noch keine Datei geöffnet.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Hilfeseiten</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>used recently</source>
        <translation>kürzlich verwendet</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Maschinen</translation>
    </message>
    <message>
        <source>Hosts of the machine</source>
        <translation>Hosts der Maschine</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Panels</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>There is nothing to undo.</source>
        <translation>Es gibt nichts rückgängig zu machen.</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>There is nothing to redo.</source>
        <translation>Es gibt nichts zu wiederholen.</translation>
    </message>
    <message>
        <source>&amp;Go To…</source>
        <translation>&amp;Gehe zu…</translation>
    </message>
    <message>
        <source>Find an op, a tensor, a draft, a run, a target or a setting by a few letters</source>
        <translation>Mit wenigen Buchstaben eine Op, einen Tensor, einen Entwurf, einen Lauf, ein Ziel oder eine Einstellung finden</translation>
    </message>
    <message>
        <source>&amp;Copy as Command</source>
        <translation>Als &amp;Befehl kopieren</translation>
    </message>
    <message>
        <source>Copy the pimc command that compiles what is open, as it is now</source>
        <translation>Den pimc-Befehl kopieren, der das Geöffnete so übersetzt, wie es jetzt ist</translation>
    </message>
    <message>
        <source>Copy &amp;Link</source>
        <translation>&amp;Link kopieren</translation>
    </message>
    <message>
        <source>Copy a pim:// link that opens this run, op and draft again</source>
        <translation>Einen pim://-Link kopieren, der diesen Lauf mit Op und Entwurf wieder öffnet</translation>
    </message>
    <message>
        <source>Copy &amp;Other Commands</source>
        <translation>&amp;Andere Befehle kopieren</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>Appearance and behaviour of the program</source>
        <translation>Aussehen und Verhalten des Programms</translation>
    </message>
    <message>
        <source>&amp;Keyboard Shortcuts…</source>
        <translation>&amp;Tastenkürzel…</translation>
    </message>
    <message>
        <source>View and change the shortcuts of all commands</source>
        <translation>Die Tastenkürzel aller Befehle ansehen und ändern</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1 (fehlt)</translation>
    </message>
    <message>
        <source>Open Report</source>
        <translation>Bericht öffnen</translation>
    </message>
    <message>
        <source>Reports (*.html *.pdf)</source>
        <translation>Berichte (*.html *.pdf)</translation>
    </message>
    <message>
        <source>No program on this desktop shows %1</source>
        <translation>Kein Programm auf diesem Desktop zeigt %1</translation>
    </message>
    <message>
        <source>Open %1 in a browser or a PDF viewer.</source>
        <translation>Öffnen Sie %1 in einem Browser oder PDF-Betrachter.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>&amp;Öffnen…</translation>
    </message>
    <message>
        <source>Open a model or a project</source>
        <translation>Ein Modell oder Projekt öffnen</translation>
    </message>
    <message>
        <source>Open Repor&amp;t…</source>
        <translation>Berich&amp;t öffnen…</translation>
    </message>
    <message>
        <source>Show an existing report in the browser or PDF viewer</source>
        <translation>Einen vorhandenen Bericht im Browser oder PDF-Betrachter zeigen</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open Sa&amp;mple</source>
        <translation>Beis&amp;piel öffnen</translation>
    </message>
    <message>
        <source>Open Sample</source>
        <translation>Beispiel öffnen</translation>
    </message>
    <message>
        <source>&amp;Save Project</source>
        <translation>Projekt &amp;speichern</translation>
    </message>
    <message>
        <source>Keep decisions and runs in the project file</source>
        <translation>Entscheidungen und Läufe in der Projektdatei behalten</translation>
    </message>
    <message>
        <source>Save Project &amp;As…</source>
        <translation>Projekt speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Keep decisions and runs in a new project file</source>
        <translation>Entscheidungen und Läufe in einer neuen Projektdatei behalten</translation>
    </message>
    <message>
        <source>Known &amp;Drafts…</source>
        <translation>Bekannte &amp;Entwürfe…</translation>
    </message>
    <message>
        <source>View or clear the best drafts kept in the project</source>
        <translation>Die besten Entwürfe des Projekts ansehen oder löschen</translation>
    </message>
    <message>
        <source>Export &amp;Bundle…</source>
        <translation>&amp;Bundle exportieren…</translation>
    </message>
    <message>
        <source>Write programs, plan and provenance to a folder</source>
        <translation>Programme, Plan und Herkunft in einen Ordner schreiben</translation>
    </message>
    <message>
        <source>Export Bundle to a Folder</source>
        <translation>Bundle in einen Ordner exportieren</translation>
    </message>
    <message>
        <source>Export &amp;Report…</source>
        <translation>Be&amp;richt exportieren…</translation>
    </message>
    <message>
        <source>Write the results as a web page or PDF</source>
        <translation>Die Ergebnisse als Webseite oder PDF schreiben</translation>
    </message>
    <message>
        <source>Export Report</source>
        <translation>Bericht exportieren</translation>
    </message>
    <message>
        <source>Web page (*.html);;PDF document (*.pdf)</source>
        <translation>Webseite (*.html);;PDF-Dokument (*.pdf)</translation>
    </message>
    <message>
        <source>Export &amp;Model with Placement…</source>
        <translation>&amp;Modell mit Platzierung exportieren…</translation>
    </message>
    <message>
        <source>Write the model with placement and times at its nodes, for Netron and others</source>
        <translation>Das Modell mit Platzierung und Zeiten an seinen Knoten schreiben, für Netron und andere</translation>
    </message>
    <message>
        <source>Export Model with Placement</source>
        <translation>Modell mit Platzierung exportieren</translation>
    </message>
    <message>
        <source>ONNX models (*.onnx)</source>
        <translation>ONNX-Modelle (*.onnx)</translation>
    </message>
    <message>
        <source>&amp;Verify Bundle…</source>
        <translation>Bundle prü&amp;fen…</translation>
    </message>
    <message>
        <source>Check hashes, programs and totals of an exported bundle</source>
        <translation>Prüfsummen, Programme und Summen eines exportierten Bundles prüfen</translation>
    </message>
    <message>
        <source>Verify Bundle</source>
        <translation>Bundle prüfen</translation>
    </message>
    <message>
        <source>Exporting model</source>
        <translation>Modell wird exportiert</translation>
    </message>
    <message>
        <source>Model written to %1</source>
        <translation>Modell nach %1 geschrieben</translation>
    </message>
    <message>
        <source>The model is not exported: %1</source>
        <translation>Das Modell wurde nicht exportiert: %1</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>Been&amp;den</translation>
    </message>
    <message>
        <source>About PIM Studio</source>
        <translation>Über PIM Studio</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>The help page of the current panel</source>
        <translation>Die Hilfeseite des aktuellen Panels</translation>
    </message>
    <message>
        <source>&amp;Command Palette…</source>
        <translation>&amp;Befehlspalette…</translation>
    </message>
    <message>
        <source>Find any command by a few letters</source>
        <translation>Jeden Befehl mit wenigen Buchstaben finden</translation>
    </message>
    <message>
        <source>C&amp;oncepts</source>
        <translation>&amp;Konzepte</translation>
    </message>
    <message>
        <source>Every concept with a picture</source>
        <translation>Jedes Konzept mit einem Bild</translation>
    </message>
    <message>
        <source>&amp;Take the Tour</source>
        <translation>&amp;Rundgang starten</translation>
    </message>
    <message>
        <source>Five steps through the window</source>
        <translation>In fünf Schritten durch das Fenster</translation>
    </message>
    <message>
        <source>What Is &amp;New</source>
        <translation>Was ist &amp;neu</translation>
    </message>
    <message>
        <source>&amp;About PIM Studio</source>
        <translation>&amp;Über PIM Studio</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>&amp;Target</source>
        <translation>&amp;Ziel</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>&amp;Host</source>
        <translation>&amp;Host</translation>
    </message>
    <message>
        <source>Choose a target first.</source>
        <translation>Wählen Sie zuerst ein Ziel.</translation>
    </message>
    <message>
        <source>&amp;Number Type</source>
        <translation>Zahlen&amp;typ</translation>
    </message>
    <message>
        <source>Number Type</source>
        <translation>Zahlentyp</translation>
    </message>
    <message>
        <source>Use this number type for all floating-point tensors</source>
        <translation>Diesen Zahlentyp für alle Gleitkomma-Tensoren verwenden</translation>
    </message>
    <message>
        <source>&amp;Convolution as Matrix Product</source>
        <translation>&amp;Faltung als Matrixprodukt</translation>
    </message>
    <message>
        <source>Compute convolutions by im2col instead of as a direct loop nest</source>
        <translation>Faltungen per im2col berechnen statt als direktes Schleifennest</translation>
    </message>
    <message>
        <source>&amp;Group-Level Commands</source>
        <translation>&amp;Gruppenbefehle</translation>
    </message>
    <message>
        <source>Prefer commands that drive all banks of a group at once</source>
        <translation>Befehle bevorzugen, die alle Bänke einer Gruppe zugleich ansteuern</translation>
    </message>
    <message>
        <source>&amp;Overlap Host and PIM Transfer</source>
        <translation>Host- und PIM-Transfer ü&amp;berlappen</translation>
    </message>
    <message>
        <source>Let the host read while PIM memory is written</source>
        <translation>Den Host lesen lassen, während PIM-Speicher geschrieben wird</translation>
    </message>
    <message>
        <source>&amp;Recompute</source>
        <translation>&amp;Neu berechnen</translation>
    </message>
    <message>
        <source>Plan again after a cancellation or failure</source>
        <translation>Nach Abbruch oder Fehler neu planen</translation>
    </message>
    <message>
        <source>The plan is up to date.</source>
        <translation>Der Plan ist aktuell.</translation>
    </message>
    <message>
        <source>&amp;Simulate</source>
        <translation>&amp;Simulieren</translation>
    </message>
    <message>
        <source>Run the plan on the simulator of the target</source>
        <translation>Den Plan auf dem Simulator des Ziels ausführen</translation>
    </message>
    <message>
        <source>The simulation is running.</source>
        <translation>Die Simulation läuft.</translation>
    </message>
    <message>
        <source>The plan is simulated already.</source>
        <translation>Der Plan ist bereits simuliert.</translation>
    </message>
    <message>
        <source>S&amp;weep</source>
        <translation>S&amp;weep</translation>
    </message>
    <message>
        <source>Compile for many sizes, targets, options or drafts</source>
        <translation>Für viele Größen, Ziele, Optionen oder Entwürfe übersetzen</translation>
    </message>
    <message>
        <source>Which &amp;PIM</source>
        <translation>Welches &amp;PIM</translation>
    </message>
    <message>
        <source>Ask every machine how long it takes for this network</source>
        <translation>Jede Maschine fragen, wie lange sie für dieses Netz braucht</translation>
    </message>
    <message>
        <source>Se&amp;veral Machines</source>
        <translation>&amp;Mehrere Maschinen</translation>
    </message>
    <message>
        <source>Spread this network over a host and machines of several kinds</source>
        <translation>Dieses Netz auf einen Host und Maschinen mehrerer Arten verteilen</translation>
    </message>
    <message>
        <source>&amp;Look-Up Tables</source>
        <translation>&amp;Lookup-Tabellen</translation>
    </message>
    <message>
        <source>Replace products by look-up tables and see how often the network is right</source>
        <translation>Produkte durch Lookup-Tabellen ersetzen und sehen, wie oft das Netz richtig liegt</translation>
    </message>
    <message>
        <source>Cancel &amp;All Tasks</source>
        <translation>&amp;Alle Aufgaben abbrechen</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>Es läuft nichts.</translation>
    </message>
    <message>
        <source>&amp;Dimensions…</source>
        <translation>&amp;Dimensionen…</translation>
    </message>
    <message>
        <source>Values of the dimensions the model leaves open</source>
        <translation>Werte der Dimensionen, die das Modell offen lässt</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>&amp;Reset Decisions</source>
        <translation>Entscheidungen &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Let the compiler decide about the selected op again</source>
        <translation>Wieder den Compiler über die gewählte Op entscheiden lassen</translation>
    </message>
    <message>
        <source>Reset decisions about %1</source>
        <translation>Entscheidungen über %1 zurücksetzen</translation>
    </message>
    <message>
        <source>There are no decisions about this op.</source>
        <translation>Über diese Op gibt es keine Entscheidungen.</translation>
    </message>
    <message>
        <source>Place on &amp;PIM</source>
        <translation>Auf &amp;PIM platzieren</translation>
    </message>
    <message>
        <source>Compute the selected op in memory</source>
        <translation>Die gewählte Op im Speicher berechnen</translation>
    </message>
    <message>
        <source>Place on &amp;Host</source>
        <translation>Auf dem &amp;Host platzieren</translation>
    </message>
    <message>
        <source>Compute the selected op on the host</source>
        <translation>Die gewählte Op auf dem Host berechnen</translation>
    </message>
    <message>
        <source>Show &amp;Drafts</source>
        <translation>&amp;Entwürfe zeigen</translation>
    </message>
    <message>
        <source>All tilings of the selected op with their times</source>
        <translation>Alle Tilings der gewählten Op mit ihren Zeiten</translation>
    </message>
    <message>
        <source>&amp;Inspect</source>
        <translation>&amp;Inspizieren</translation>
    </message>
    <message>
        <source>All about the selected op</source>
        <translation>Alles über die gewählte Op</translation>
    </message>
    <message>
        <source>Copy Command That &amp;Simulates Drafts</source>
        <translation>Befehl kopieren, der Entwürfe &amp;simuliert</translation>
    </message>
    <message>
        <source>Copy the pimc command that simulates the drafts predicted to be best</source>
        <translation>Den pimc-Befehl kopieren, der die laut Vorhersage besten Entwürfe simuliert</translation>
    </message>
    <message>
        <source>Open a model or a project first.</source>
        <translation>Öffnen Sie zuerst ein Modell oder Projekt.</translation>
    </message>
    <message>
        <source>There is no plan of these decisions. Recompute it first.</source>
        <translation>Zu diesen Entscheidungen gibt es keinen Plan. Berechnen Sie ihn zuerst neu.</translation>
    </message>
    <message>
        <source>The plan is still being computed.</source>
        <translation>Der Plan wird noch berechnet.</translation>
    </message>
    <message>
        <source>Select an op first.</source>
        <translation>Wählen Sie zuerst eine Op.</translation>
    </message>
    <message>
        <source>&amp;Where Time Goes</source>
        <translation>Wo die Zeit &amp;bleibt</translation>
    </message>
    <message>
        <source>Where does the time go? Graph, breakdown, inspector</source>
        <translation>Wo bleibt die Zeit? Graph, Aufschlüsselung, Inspektor</translation>
    </message>
    <message>
        <source>What &amp;If</source>
        <translation>Was &amp;wäre, wenn</translation>
    </message>
    <message>
        <source>What if? Decisions, history, runs compared</source>
        <translation>Was wäre, wenn? Entscheidungen, Verlauf, Läufe im Vergleich</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Panels</translation>
    </message>
    <message>
        <source>Panels</source>
        <translation>Panels</translation>
    </message>
    <message>
        <source>Show the panel, or hide it if it is in front</source>
        <translation>Das Panel zeigen, oder verbergen, wenn es vorn liegt</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>Layouts</translation>
    </message>
    <message>
        <source>&amp;Save and Manage Layouts…</source>
        <translation>Layouts &amp;speichern und verwalten…</translation>
    </message>
    <message>
        <source>Save the panels as they are now, rename and delete what was saved</source>
        <translation>Die Panels speichern, wie sie jetzt sind, Gespeichertes umbenennen und löschen</translation>
    </message>
    <message>
        <source>&amp;Lock Layout</source>
        <translation>&amp;Layout sperren</translation>
    </message>
    <message>
        <source>Keep panels where they are</source>
        <translation>Panels lassen, wo sie sind</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>Layout &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Restore the default arrangement of panels</source>
        <translation>Die voreingestellte Anordnung der Panels wiederherstellen</translation>
    </message>
    <message>
        <source>Dock &amp;All</source>
        <translation>&amp;Alle andocken</translation>
    </message>
    <message>
        <source>Return floating panels to the window</source>
        <translation>Schwebende Panels ins Fenster zurückholen</translation>
    </message>
    <message>
        <source>La&amp;youts</source>
        <translation>La&amp;youts</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farbschema</translation>
    </message>
    <message>
        <source>As the &amp;System</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>&amp;Full Screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>&lt;h3&gt;PIM Studio %1&lt;/h3&gt;&lt;p&gt;Compiles neural networks for processing-in-memory hardware and shows why it decides as it does.&lt;/p&gt;&lt;p&gt;Free software under the GNU General Public License, version 3 or later.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;PIM Studio %1&lt;/h3&gt;&lt;p&gt;Übersetzt neuronale Netze für Hardware, die im Speicher rechnet, und zeigt, warum es so entscheidet.&lt;/p&gt;&lt;p&gt;Freie Software unter der GNU General Public License, Version 3 oder später.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Show &amp;Log</source>
        <translation>&amp;Log zeigen</translation>
    </message>
    <message>
        <source>What the program and its libraries say on the way</source>
        <translation>Was das Programm und seine Bibliotheken unterwegs melden</translation>
    </message>
    <message>
        <source>&amp;Report a Problem…</source>
        <translation>&amp;Problem melden…</translation>
    </message>
    <message>
        <source>Write an archive with log, settings and versions; nothing is sent</source>
        <translation>Ein Archiv mit Log, Einstellungen und Versionen schreiben; gesendet wird nichts</translation>
    </message>
    <message>
        <source>Draft Ranking</source>
        <translation>Rangfolge der Entwürfe</translation>
    </message>
    <message>
        <source>Draft &amp;Ranking</source>
        <translation>&amp;Rangfolge der Entwürfe</translation>
    </message>
    <message>
        <source>By the &amp;Formula</source>
        <translation>Nach der &amp;Formel</translation>
    </message>
    <message>
        <source>The price of each draft decides which are simulated first</source>
        <translation>Der Preis jedes Entwurfs entscheidet, welche zuerst simuliert werden</translation>
    </message>
    <message>
        <source>By the &amp;Shipped Predictor</source>
        <translation>Nach dem &amp;mitgelieferten Prädiktor</translation>
    </message>
    <message>
        <source>What was learned of the machine from simulated drafts decides, where a predictor is shipped for it</source>
        <translation>Es entscheidet, was aus simulierten Entwürfen über die Maschine gelernt wurde, wo für sie ein Prädiktor mitgeliefert ist</translation>
    </message>
    <message>
        <source>By &amp;Your Predictor</source>
        <translation>Nach &amp;Ihrem Prädiktor</translation>
    </message>
    <message>
        <source>The predictor that was opened or trained last for this project decides</source>
        <translation>Es entscheidet der Prädiktor, der für dieses Projekt zuletzt geöffnet oder trainiert wurde</translation>
    </message>
    <message>
        <source>Open a &amp;Predictor File…</source>
        <translation>&amp;Prädiktordatei öffnen…</translation>
    </message>
    <message>
        <source>Rank drafts by a predictor in a file; it is kept in the project</source>
        <translation>Entwürfe nach einem Prädiktor aus einer Datei ordnen; er bleibt im Projekt</translation>
    </message>
    <message>
        <source>Open a predictor</source>
        <translation>Prädiktor öffnen</translation>
    </message>
    <message>
        <source>Predictors (*.predictor);;All files (*)</source>
        <translation>Prädiktoren (*.predictor);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>&amp;Train a Predictor</source>
        <translation>Prädiktor &amp;trainieren</translation>
    </message>
    <message>
        <source>Learn from simulated drafts of kernels that you choose</source>
        <translation>Aus simulierten Entwürfen von Kernels lernen, die Sie wählen</translation>
    </message>
    <message>
        <source>&amp;High Contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>&amp;Automatic</source>
        <translation>&amp;Automatisch</translation>
    </message>
    <message>
        <source>Kernels that the predictor shipped for the machine was measured to rank better are ranked by it, all others by the formula</source>
        <translation>Kernel, die der mitgelieferte Prädiktor der Maschine nachweislich besser ordnet, ordnet er, alle anderen die Formel</translation>
    </message>
</context>
<context>
    <name>QDialog</name>
    <message>
        <source>Text of %1</source>
        <translation>Text von %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>Export failed</source>
        <translation>Export fehlgeschlagen</translation>
    </message>
    <message>
        <source>Copy Image</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Export SVG…</source>
        <translation>SVG exportieren…</translation>
    </message>
    <message>
        <source>Export PDF…</source>
        <translation>PDF exportieren…</translation>
    </message>
    <message>
        <source>Export PNG %1x…</source>
        <translation>PNG %1x exportieren…</translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation>CSV exportieren…</translation>
    </message>
    <message>
        <source>Export Trace for Perfetto…</source>
        <translation>Trace für Perfetto exportieren…</translation>
    </message>
    <message>
        <source>Lanes</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>Words that lanes must have in their name</source>
        <translation>Wörter, die Spuren im Namen haben müssen</translation>
    </message>
    <message>
        <source>Shows only lanes whose name or group has these words (/)</source>
        <translation>Zeigt nur Spuren, deren Name oder Gruppe diese Wörter enthält (/)</translation>
    </message>
    <message>
        <source>Dimension %1</source>
        <translation>Dimension %1</translation>
    </message>
    <message>
        <source>Cut it, choose a place in the floorplan with the arrow keys, and paste</source>
        <translation>Ausschneiden, mit den Pfeiltasten einen Platz im Floorplan wählen und einfügen</translation>
    </message>
    <message>
        <source>the search passes it over (%1): %2</source>
        <translation>die Suche übergeht ihn (%1): %2</translation>
    </message>
    <message>
        <source>Operands</source>
        <translation>Operanden</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
</context>
<context>
    <name>SettingNames</name>
    <message>
        <source>General</source>
        <translation>Allgemein</translation>
    </message>
    <message>
        <source>Start where you left off</source>
        <translation>Weitermachen, wo Sie aufgehört haben</translation>
    </message>
    <message>
        <source>Opens the last model or project with its selection and panels.</source>
        <translation>Öffnet das letzte Modell oder Projekt mit Auswahl und Panels.</translation>
    </message>
    <message>
        <source>Ask about unsaved decisions</source>
        <translation>Nach ungespeicherten Entscheidungen fragen</translation>
    </message>
    <message>
        <source>Before the window closes.</source>
        <translation>Bevor das Fenster geschlossen wird.</translation>
    </message>
    <message>
        <source>Recent files to remember</source>
        <translation>Anzahl gemerkter Dateien</translation>
    </message>
    <message>
        <source>In the menu, on the welcome page and in the locator.</source>
        <translation>Im Menü, auf der Willkommensseite und in der Suche.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Threads that work at once</source>
        <translation>Threads, die gleichzeitig arbeiten</translation>
    </message>
    <message>
        <source>Usually what PIM_JOBS says, or one for each core. Results do not depend on it.</source>
        <translation>Üblich ist, was PIM_JOBS sagt, oder einer je Kern. Die Ergebnisse hängen nicht davon ab.</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>üblich</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Of the window, from its next start on. Messages of the compiler stay English.</source>
        <translation>Des Fensters, ab seinem nächsten Start. Meldungen des Compilers bleiben englisch.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>Of all texts of the program.</source>
        <translation>Aller Texte des Programms.</translation>
    </message>
    <message>
        <source> pt</source>
        <translation> pt</translation>
    </message>
    <message>
        <source>as the system</source>
        <translation>wie das System</translation>
    </message>
    <message>
        <source>Colour map</source>
        <translation>Farbskala</translation>
    </message>
    <message>
        <source>Of heat maps and overlays. Cividis looks the same with and without red-green blindness.</source>
        <translation>Von Heatmaps und Overlays. Cividis sieht mit und ohne Rot-Grün-Schwäche gleich aus.</translation>
    </message>
    <message>
        <source>Compile defaults</source>
        <translation>Vorgaben zum Übersetzen</translation>
    </message>
    <message>
        <source>Number type</source>
        <translation>Zahlentyp</translation>
    </message>
    <message>
        <source>Used for all floating-point tensors of a newly opened model.</source>
        <translation>Für alle Gleitkomma-Tensoren eines neu geöffneten Modells.</translation>
    </message>
    <message>
        <source>Convolution as matrix product</source>
        <translation>Faltung als Matrixprodukt</translation>
    </message>
    <message>
        <source>By im2col; off: as a direct loop nest.</source>
        <translation>Per im2col; aus: als direktes Schleifennest.</translation>
    </message>
    <message>
        <source>Group-level commands</source>
        <translation>Gruppenbefehle</translation>
    </message>
    <message>
        <source>Prefer commands that drive all banks of a group at once.</source>
        <translation>Befehle bevorzugen, die alle Bänke einer Gruppe zugleich ansteuern.</translation>
    </message>
    <message>
        <source>Overlap host and PIM transfer</source>
        <translation>Host- und PIM-Transfer überlappen</translation>
    </message>
    <message>
        <source>The host reads while PIM memory is written.</source>
        <translation>Der Host liest, während PIM-Speicher geschrieben wird.</translation>
    </message>
    <message>
        <source>Simulation</source>
        <translation>Simulation</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Speicherorte</translation>
    </message>
    <message>
        <source>Simulate every new plan</source>
        <translation>Jeden neuen Plan simulieren</translation>
    </message>
    <message>
        <source>In the background, where the target has a simulator; off: Model › Simulate does it.</source>
        <translation>Im Hintergrund, wo das Ziel einen Simulator hat; aus: Modell › Simulieren tut es.</translation>
    </message>
    <message>
        <source>Drafts to simulate</source>
        <translation>Zu simulierende Entwürfe</translation>
    </message>
    <message>
        <source>How many of the drafts predicted to be best the copied pimc command simulates.</source>
        <translation>Wie viele der laut Vorhersage besten Entwürfe der kopierte pimc-Befehl simuliert.</translation>
    </message>
    <message>
        <source>Folder of projects</source>
        <translation>Ordner der Projekte</translation>
    </message>
    <message>
        <source>Where dialogs begin; empty: the folder used last.</source>
        <translation>Wo Dialoge beginnen; leer: der zuletzt verwendete Ordner.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Light, dark or with high contrast, or as the desktop was when the program started.</source>
        <translation>Hell, dunkel oder mit hohem Kontrast, oder wie der Desktop beim Start des Programms war.</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>Menus, tips and bars that slide, fade or run; or none, where the desktop asks for that.</source>
        <translation>Menüs, Tipps und Balken, die gleiten, blenden oder laufen; oder nichts davon, wo der Desktop darum bittet.</translation>
    </message>
    <message>
        <source>With motion</source>
        <translation>Mit Bewegung</translation>
    </message>
    <message>
        <source>Without motion</source>
        <translation>Ohne Bewegung</translation>
    </message>
</context>
<context>
    <name>SqlPlot</name>
    <message>
        <source>row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>%1 of %2 rows lack a number and are left out.</source>
        <translation>%1 von %2 Zeilen fehlt eine Zahl; sie sind ausgelassen.</translation>
    </message>
    <message>
        <source>Run a query to draw what it answers.</source>
        <translation>Führen Sie eine Abfrage aus, um ihre Antwort zu zeichnen.</translation>
    </message>
    <message>
        <source>The answer has no rows, so there is nothing to draw.</source>
        <translation>Die Antwort hat keine Zeilen; es gibt nichts zu zeichnen.</translation>
    </message>
    <message>
        <source>All columns of the answer hold text, so there is nothing to draw. Numbers that are stored as text become some with CAST(column AS REAL).</source>
        <translation>Alle Spalten der Antwort enthalten Text; es gibt nichts zu zeichnen. Zahlen, die als Text gespeichert sind, werden mit CAST(column AS REAL) zu welchen.</translation>
    </message>
    <message>
        <source>All columns of the answer are empty, so there is nothing to draw.</source>
        <translation>Alle Spalten der Antwort sind leer; es gibt nichts zu zeichnen.</translation>
    </message>
</context>
<context>
    <name>pim::studio::BindingsDialog</name>
    <message>
        <source>Dimensions</source>
        <translation>Dimensionen</translation>
    </message>
    <message>
        <source>Dimensions of the model</source>
        <translation>Dimensionen des Modells</translation>
    </message>
    <message>
        <source>All dimensions of this model are fixed.</source>
        <translation>Alle Dimensionen dieses Modells sind fest.</translation>
    </message>
    <message>
        <source>The model leaves these dimensions open. The model is not read again when a value changes.</source>
        <translation>Das Modell lässt diese Dimensionen offen. Wenn sich ein Wert ändert, wird es nicht neu gelesen.</translation>
    </message>
    <message>
        <source>Value of %1</source>
        <translation>Wert von %1</translation>
    </message>
    <message>
        <source>%1, %2 and %3 more</source>
        <translation>%1, %2 und %3 weitere</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>Not chosen by anyone; 1 is the default</source>
        <translation>Von niemandem gewählt; 1 ist die Vorgabe</translation>
    </message>
    <message>
        <source>Open dimensions</source>
        <translation>Offene Dimensionen</translation>
    </message>
</context>
<context>
    <name>pim::studio::Commands</name>
    <message>
        <source>Not available right now.</source>
        <translation>Gerade nicht verfügbar.</translation>
    </message>
</context>
<context>
    <name>pim::studio::CrashBar</name>
    <message>
        <source>%1 crashed on %2</source>
        <translation>%1 ist am %2 abgestürzt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 in %2: %3</source>
        <translation>%1 in %2: %3</translation>
    </message>
    <message>
        <source>Crashes of earlier starts</source>
        <translation>Abstürze früherer Starts</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>The functions it was in, and what it had said last</source>
        <translation>In welchen Funktionen es war und was es zuletzt gemeldet hatte</translation>
    </message>
    <message>
        <source>Report…</source>
        <translation>Melden…</translation>
    </message>
    <message>
        <source>Make a report of the problem with it; nothing is sent</source>
        <translation>Daraus einen Bericht über das Problem machen; gesendet wird nichts</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete the file, and do not offer it again</source>
        <translation>Die Datei löschen und nicht wieder anbieten</translation>
    </message>
    <message>
        <source>Not now: it is offered at the next start again</source>
        <translation>Jetzt nicht: beim nächsten Start wird es wieder angeboten</translation>
    </message>
    <message>
        <source>Not now: %1</source>
        <translation>Jetzt nicht: %1</translation>
    </message>
    <message>
        <source>Crash</source>
        <translation>Absturz</translation>
    </message>
    <message>
        <source>The report of the crash could not be deleted</source>
        <translation>Der Bericht über den Absturz ließ sich nicht löschen</translation>
    </message>
    <message>
        <source>Crashes</source>
        <translation>Abstürze</translation>
    </message>
</context>
<context>
    <name>pim::studio::FileDrops</name>
    <message>
        <source>Drop to open the run of this report</source>
        <translation>Ablegen, um den Lauf dieses Berichts zu öffnen</translation>
    </message>
    <message>
        <source>Drop to compile for the machine in %1</source>
        <translation>Ablegen, um für die Maschine in %1 zu übersetzen</translation>
    </message>
    <message>
        <source>Drop to open %1</source>
        <translation>Ablegen, um %1 zu öffnen</translation>
    </message>
    <message>
        <source>%1 is not on this computer. Save it first, then drop the file.</source>
        <translation>%1 liegt nicht auf diesem Rechner. Speichern Sie die Datei zuerst und legen Sie sie dann ab.</translation>
    </message>
    <message>
        <source>; %1 more will be listed under Open Recent</source>
        <translation>; %1 weitere stehen dann unter „Zuletzt geöffnet“</translation>
    </message>
    <message>
        <source>What a drop does</source>
        <translation>Was das Ablegen bewirkt</translation>
    </message>
</context>
<context>
    <name>pim::studio::Finder</name>
    <message>
        <source>Matches</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>How many were found</source>
        <translation>Wie viele gefunden wurden</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C copies the pimc command</source>
        <translation>Strg+Umschalt+C kopiert den pimc-Befehl</translation>
    </message>
    <message>
        <source>There is no pimc command for this.</source>
        <translation>Dafür gibt es keinen pimc-Befehl.</translation>
    </message>
    <message>
        <source>Copied: %1</source>
        <translation>Kopiert: %1</translation>
    </message>
</context>
<context>
    <name>pim::studio::FinderModel</name>
    <message>
        <source>%1: type %2 and a space</source>
        <translation>%1: %2 und ein Leerzeichen tippen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>Nothing matches these letters in this order.</source>
        <translation>Nichts enthält diese Buchstaben in dieser Reihenfolge.</translation>
    </message>
    <message>
        <source>%1 found so far</source>
        <translation>bisher %1 gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>pim::studio::HeadlineBar</name>
    <message>
        <source>%1 the speed with %2: %3
</source>
        <translation>%1 so schnell wie mit %2: %3
</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Neu berechnen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Recompute the plan</source>
        <translation>Den Plan neu berechnen</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Wird geöffnet…</translation>
    </message>
    <message>
        <source>No model open</source>
        <translation>Kein Modell geöffnet</translation>
    </message>
    <message>
        <source>one every %1</source>
        <translation>alle %1 ein Sample</translation>
    </message>
    <message>
        <source>%1 ns from one sample to the next, sum over %2 ops; the first is through after %3</source>
        <translation>%1 ns von einem Sample zum nächsten, Summe über %2 Ops; das erste ist nach %3 fertig</translation>
    </message>
    <message>
        <source>%1 ns, from a simulation of the plan</source>
        <translation>%1 ns, aus einer Simulation des Plans</translation>
    </message>
    <message>
        <source>%1 ns, sum over %2 ops</source>
        <translation>%1 ns, Summe über %2 Ops</translation>
    </message>
    <message>
        <source>%1 the speed of %2 alone</source>
        <translation>%1 so schnell wie %2 allein</translation>
    </message>
    <message>
        <source>no host figure to compare with</source>
        <translation>keine Zahl des Hosts zum Vergleich</translation>
    </message>
    <message>
        <source>predicted %1 the speed with %2</source>
        <translation>laut Vorhersage %1 so schnell wie mit %2</translation>
    </message>
    <message>
        <source>%1 the speed with %2</source>
        <translation>%1 so schnell wie mit %2</translation>
    </message>
    <message>
        <source>All ops on %1: %2. Same model, same dimensions, same number type.</source>
        <translation>Alle Ops auf %1: %2. Gleiches Modell, gleiche Dimensionen, gleicher Zahlentyp.</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>simulated · %1 of %2 predicted</source>
        <translation>simuliert · %1 von %2 vorhergesagt</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>From formulas, not from a simulation of every command</source>
        <translation>Aus Formeln, nicht aus einer Simulation jedes Befehls</translation>
    </message>
    <message>
        <source>From a simulation of every command</source>
        <translation>Aus einer Simulation jedes Befehls</translation>
    </message>
    <message>
        <source>being recomputed</source>
        <translation>wird neu berechnet</translation>
    </message>
    <message>
        <source>out of date</source>
        <translation>veraltet</translation>
    </message>
</context>
<context>
    <name>pim::studio::HelpWindow</name>
    <message>
        <source>Back (Alt+Left)</source>
        <translation>Zurück (Alt+Links)</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>Vor (Alt+Rechts)</translation>
    </message>
    <message>
        <source>PIM Studio Help</source>
        <translation>PIM Studio – Hilfe</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>Hilfe durchsuchen</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Hilfeseiten</translation>
    </message>
    <message>
        <source>Places found</source>
        <translation>Gefundene Stellen</translation>
    </message>
    <message>
        <source>Help text</source>
        <translation>Hilfetext</translation>
    </message>
    <message>
        <source>Nothing found for &quot;%1&quot;. Try fewer words.</source>
        <translation>Zu „%1“ wurde nichts gefunden. Versuchen Sie es mit weniger Wörtern.</translation>
    </message>
</context>
<context>
    <name>pim::studio::KnownDraftsDialog</name>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>What runs over what, without sizes, and which tensors lie in PIM memory</source>
        <translation>Was worüber läuft, ohne Größen, und welche Tensoren im PIM-Speicher liegen</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Simulated, without the share of the host&apos;s memory</source>
        <translation>Simuliert, ohne den Anteil des Host-Speichers</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>When it was added to the project</source>
        <translation>Wann er ins Projekt kam</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Verwendet</translation>
    </message>
    <message>
        <source>What another version of the program found is kept for it; this one searches for itself</source>
        <translation>Was eine andere Version des Programms gefunden hat, wird für sie behalten; diese sucht selbst</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>The tiling that simulation found to be the fastest</source>
        <translation>Das Tiling, das laut Simulation am schnellsten ist</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no, other version</source>
        <translation>nein, andere Version</translation>
    </message>
    <message>
        <source>1 best draft</source>
        <translation>1 bester Entwurf</translation>
    </message>
    <message>
        <source>%1 best drafts</source>
        <translation>%1 beste Entwürfe</translation>
    </message>
    <message>
        <source>, %1 of %2</source>
        <translation>, %1 von %2</translation>
    </message>
    <message>
        <source>. A compile answers the same kernel on the same machine with the same options from here, without a search.</source>
        <translation>. Beim Übersetzen werden dieselben Kernel auf derselben Maschine mit denselben Optionen von hier beantwortet, ohne Suche.</translation>
    </message>
    <message>
        <source> %1 of another version of the program are not used.</source>
        <translation> %1 einer anderen Version des Programms werden nicht verwendet.</translation>
    </message>
    <message>
        <source> %1 more are damaged and not used.</source>
        <translation> %1 weitere sind beschädigt und werden nicht verwendet.</translation>
    </message>
    <message>
        <source>C&amp;lear…</source>
        <translation>&amp;Löschen…</translation>
    </message>
    <message>
        <source>Known Drafts</source>
        <translation>Bekannte Entwürfe</translation>
    </message>
    <message>
        <source>How many drafts the project knows</source>
        <translation>Wie viele Entwürfe das Projekt kennt</translation>
    </message>
    <message>
        <source>Why they cannot be cleared</source>
        <translation>Warum sie nicht gelöscht werden können</translation>
    </message>
    <message>
        <source>Clear them all: kernels are searched again</source>
        <translation>Alle löschen: Kernel werden neu durchsucht</translation>
    </message>
    <message>
        <source>Table of known drafts</source>
        <translation>Tabelle der bekannten Entwürfe</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Kein Projekt</translation>
    </message>
    <message>
        <source>The project cannot be read</source>
        <translation>Das Projekt ist nicht lesbar</translation>
    </message>
    <message>
        <source>No drafts yet</source>
        <translation>Noch keine Entwürfe</translation>
    </message>
    <message>
        <source>The project keeps the best draft that a compile finds by simulation for each kernel.</source>
        <translation>Das Projekt behält für jeden Kernel den besten Entwurf, den eine Übersetzung durch Simulation findet.</translation>
    </message>
    <message>
        <source>the unsaved project</source>
        <translation>das ungespeicherte Projekt</translation>
    </message>
    <message>
        <source>Clear Known Drafts</source>
        <translation>Bekannte Entwürfe löschen</translation>
    </message>
    <message>
        <source>Clear the draft the project knows?</source>
        <translation>Den Entwurf löschen, den das Projekt kennt?</translation>
    </message>
    <message>
        <source>Clear all %1 drafts the project knows?</source>
        <translation>Alle %1 Entwürfe löschen, die das Projekt kennt?</translation>
    </message>
    <message>
        <source>This cannot be undone. Their kernels are searched again when they are next compiled; %1 drafts were simulated to find them. Plans and runs stay as they are.</source>
        <translation>Das lässt sich nicht rückgängig machen. Ihre Kernel werden beim nächsten Übersetzen neu durchsucht; um sie zu finden, wurden %1 Entwürfe simuliert. Pläne und Läufe bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>C&amp;lear</source>
        <translation>&amp;Löschen</translation>
    </message>
</context>
<context>
    <name>pim::studio::Layouts</name>
    <message>
        <source>A layout needs a name</source>
        <translation>Ein Layout braucht einen Namen</translation>
    </message>
    <message>
        <source>There is no layout &quot;%1&quot;</source>
        <translation>Es gibt kein Layout „%1“</translation>
    </message>
    <message>
        <source>The layout &quot;%1&quot; was saved by another version of the program and does not fit its panels. Arrange them and save it again.</source>
        <translation>Das Layout „%1“ wurde von einer anderen Version des Programms gespeichert und passt nicht zu deren Panels. Ordnen Sie sie an und speichern Sie es neu.</translation>
    </message>
    <message>
        <source>There is a layout &quot;%1&quot; already</source>
        <translation>Es gibt schon ein Layout „%1“</translation>
    </message>
</context>
<context>
    <name>pim::studio::LayoutsDialog</name>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Use</source>
        <translation>&amp;Verwenden</translation>
    </message>
    <message>
        <source>&amp;Rename</source>
        <translation>&amp;Umbenennen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Layouts</source>
        <translation>Layouts</translation>
    </message>
    <message>
        <source>Name for the panels as they are now</source>
        <translation>Name für die Panels, wie sie jetzt sind</translation>
    </message>
    <message>
        <source>Name of a new layout</source>
        <translation>Name eines neuen Layouts</translation>
    </message>
    <message>
        <source>Saved layouts</source>
        <translation>Gespeicherte Layouts</translation>
    </message>
    <message>
        <source>Give the layout another name (F2)</source>
        <translation>Dem Layout einen anderen Namen geben (F2)</translation>
    </message>
    <message>
        <source>Delete this layout (Del)</source>
        <translation>Dieses Layout löschen (Entf)</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was nicht stimmt</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>&amp;Ersetzen</translation>
    </message>
</context>
<context>
    <name>pim::studio::LinkTarget</name>
    <message>
        <source>This link cannot be opened: %1</source>
        <translation>Dieser Link lässt sich nicht öffnen: %1</translation>
    </message>
    <message>
        <source>The project of this link does not exist: %1. It may have been moved; open it from its new place.</source>
        <translation>Das Projekt dieses Links gibt es nicht: %1. Vielleicht wurde es verschoben; öffnen Sie es am neuen Ort.</translation>
    </message>
    <message>
        <source>The project has no run %1; %2.</source>
        <translation>Das Projekt hat keinen Lauf %1; %2.</translation>
    </message>
    <message>
        <source>The model that is open has no op %1. Open run %2 to see it.</source>
        <translation>Das geöffnete Modell hat keine Op %1. Öffnen Sie Lauf %2, um sie zu sehen.</translation>
    </message>
    <message>
        <source>The draft of this link does not fit %1 as it is planned now. Open run %2 to see it.</source>
        <translation>Der Entwurf dieses Links passt nicht zu %1, wie es jetzt geplant ist. Öffnen Sie Lauf %2, um ihn zu sehen.</translation>
    </message>
    <message>
        <source>A link leads into a project: save it first.</source>
        <translation>Ein Link führt in ein Projekt: Speichern Sie es zuerst.</translation>
    </message>
    <message>
        <source>The plan is not stored as a run yet.</source>
        <translation>Der Plan ist noch nicht als Lauf gespeichert.</translation>
    </message>
</context>
<context>
    <name>pim::studio::LogModel</name>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>Debug</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Room</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
</context>
<context>
    <name>pim::studio::LogPanel</name>
    <message>
        <source>Follow</source>
        <translation>Folgen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>What the program says on the way, oldest first</source>
        <translation>Was das Programm unterwegs meldet, Ältestes zuerst</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>Debug</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Lines of this level and of what is graver</source>
        <translation>Zeilen dieser Stufe und was schwerer wiegt</translation>
    </message>
    <message>
        <source>Room</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Lines of one part of the program</source>
        <translation>Zeilen eines Teils des Programms</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search in the log</source>
        <translation>Im Log suchen</translation>
    </message>
    <message>
        <source>Keep the newest line in sight</source>
        <translation>Die neueste Zeile im Blick behalten</translation>
    </message>
    <message>
        <source>Copy the selected lines, or all that are shown</source>
        <translation>Die ausgewählten Zeilen kopieren, oder alle gezeigten</translation>
    </message>
    <message>
        <source>Empty the list; a file of the log keeps what it has</source>
        <translation>Die Liste leeren; eine Datei des Logs behält, was sie hat</translation>
    </message>
    <message>
        <source>All rooms</source>
        <translation>Alle Bereiche</translation>
    </message>
</context>
<context>
    <name>pim::studio::MainWindow</name>
    <message>
        <source>PIM Studio</source>
        <translation>PIM Studio</translation>
    </message>
    <message>
        <source>PIM Studio[*]</source>
        <translation>PIM Studio[*]</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Op</source>
        <translation>&amp;Op</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>%1 ops, %2 on PIM · planned in %3</source>
        <translation>%1 Ops, %2 auf PIM · geplant in %3</translation>
    </message>
    <message>
        <source>Drop an .onnx or .pimproj file anywhere</source>
        <translation>Eine .onnx- oder .pimproj-Datei irgendwo ablegen</translation>
    </message>
    <message>
        <source>%1[*] — PIM Studio</source>
        <translation>%1[*] — PIM Studio</translation>
    </message>
    <message>
        <source>There is no sample &quot;%1&quot;</source>
        <translation>Es gibt kein Beispiel „%1“</translation>
    </message>
    <message>
        <source>Looking for unsaved work</source>
        <translation>Nach ungespeicherter Arbeit wird gesucht</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Models and projects (*.onnx *.pimproj);;All files (*)</source>
        <translation>Modelle und Projekte (*.onnx *.pimproj);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save Project</source>
        <translation>Projekt speichern</translation>
    </message>
    <message>
        <source>Projects (*.pimproj)</source>
        <translation>Projekte (*.pimproj)</translation>
    </message>
    <message>
        <source>Verifying %1</source>
        <translation>%1 wird geprüft</translation>
    </message>
    <message>
        <source>%1 cannot be verified</source>
        <translation>%1 lässt sich nicht prüfen</translation>
    </message>
    <message>
        <source>The bundle is sound: %1 files, %2 programs</source>
        <translation>Das Bundle ist in Ordnung: %1 Dateien, %2 Programme</translation>
    </message>
    <message>
        <source>%1 things are wrong with the bundle %2</source>
        <translation>%1 Dinge stimmen nicht am Bundle %2</translation>
    </message>
    <message>
        <source>Type to find a command</source>
        <translation>Tippen, um einen Befehl zu finden</translation>
    </message>
    <message>
        <source>Type to find an op, a tensor, a run, a setting, …</source>
        <translation>Tippen, um etwas zu finden: Op, Tensor, Lauf, Einstellung, …</translation>
    </message>
    <message>
        <source>Copied the equivalent pimc command</source>
        <translation>Der entsprechende pimc-Befehl wurde kopiert</translation>
    </message>
    <message>
        <source>Unsaved Decisions</source>
        <translation>Ungespeicherte Entscheidungen</translation>
    </message>
    <message>
        <source>Your decisions and runs are not saved in a project yet. Save them?</source>
        <translation>Ihre Entscheidungen und Läufe sind noch in keinem Projekt gespeichert. Speichern?</translation>
    </message>
    <message>
        <source>Work Is Running</source>
        <translation>Es wird noch gearbeitet</translation>
    </message>
    <message>
        <source>One task is still running. Stop it and close?</source>
        <translation>Eine Aufgabe läuft noch. Abbrechen und schließen?</translation>
    </message>
    <message>
        <source>%1 tasks are still running. Stop them and close?</source>
        <translation>%1 Aufgaben laufen noch. Abbrechen und schließen?</translation>
    </message>
    <message>
        <source>Stop and Close</source>
        <translation>Abbrechen und schließen</translation>
    </message>
    <message>
        <source>Main</source>
        <translation>Hauptleiste</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Size of the network and planning time</source>
        <translation>Größe des Netzes und Dauer der Planung</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>Graph</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Breakdown</source>
        <translation>Aufschlüsselung</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>Engpässe</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>Which PIM</source>
        <translation>Welches PIM</translation>
    </message>
    <message>
        <source>Several Machines</source>
        <translation>Mehrere Maschinen</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Look-Up Tables</source>
        <translation>Lookup-Tabellen</translation>
    </message>
    <message>
        <source>Codebooks</source>
        <translation>Codebooks</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>Probleme (%1)</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Messages (%1)</source>
        <translation>Meldungen (%1)</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>still planning, a moment</source>
        <translation>es wird noch geplant, einen Moment</translation>
    </message>
    <message>
        <source>Open a network</source>
        <translation>Ein Netz öffnen</translation>
    </message>
    <message>
        <source>Drop an .onnx file anywhere, or take a sample: one click opens it, without weights. If nothing is open, Next opens the smallest sample.</source>
        <translation>Legen Sie eine .onnx-Datei irgendwo ab oder nehmen Sie ein Beispiel: Ein Klick öffnet es, ohne Gewichte. Ist nichts geöffnet, öffnet „Weiter“ das kleinste Beispiel.</translation>
    </message>
    <message>
        <source>Choose a machine</source>
        <translation>Eine Maschine wählen</translation>
    </message>
    <message>
        <source>The target is the processing-in-memory hardware to compile for. Change it at any time: the model, your decisions and the history stay.</source>
        <translation>Das Ziel ist die Processing-in-Memory-Hardware, für die übersetzt wird. Sie können es jederzeit wechseln: Modell, Entscheidungen und Verlauf bleiben.</translation>
    </message>
    <message>
        <source>See where the time goes</source>
        <translation>Sehen, wo die Zeit bleibt</translation>
    </message>
    <message>
        <source>This line tells the total, the gain over the host alone, and whether the figure is predicted or simulated. Ctrl+1, Ctrl+2 and Ctrl+3 bring the panels for three questions: where the time goes, why this draft, what if.</source>
        <translation>Diese Zeile nennt die Gesamtzeit, den Gewinn gegenüber dem Host allein, und ob die Zahl vorhergesagt oder simuliert ist. Strg+1, Strg+2 und Strg+3 holen die Panels zu drei Fragen: wo die Zeit bleibt, warum dieser Entwurf, was wäre, wenn.</translation>
    </message>
    <message>
        <source>Decide yourself</source>
        <translation>Selbst entscheiden</translation>
    </message>
    <message>
        <source>The machine is a place to drop things: drag an operator onto the host or into memory. The verdict with its reason is there before you let go, and Ctrl+Z undoes every decision.</source>
        <translation>Auf die Maschine lässt sich etwas ablegen: Ziehen Sie einen Operator auf den Host oder in den Speicher. Das Urteil mit Begründung steht da, bevor Sie loslassen, und Strg+Z macht jede Entscheidung rückgängig.</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>Alles finden</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P finds every command, Ctrl+K every operator. F1 explains the panel you are in, with a picture for every concept. This tour is in the Help menu.</source>
        <translation>Strg+Umschalt+P findet jeden Befehl, Strg+K jeden Operator. F1 erklärt das Panel, in dem Sie sind, mit einem Bild zu jedem Konzept. Dieser Rundgang steht im Menü Hilfe.</translation>
    </message>
    <message>
        <source>No log is written to a file</source>
        <translation>Es wird kein Log in eine Datei geschrieben</translation>
    </message>
    <message>
        <source>Predictor</source>
        <translation>Prädiktor</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
    <message>
        <source>The log is no longer written to its file</source>
        <translation>Das Log wird nicht mehr in seine Datei geschrieben</translation>
    </message>
    <message>
        <source>Looking for crashes of earlier starts</source>
        <translation>Suche nach Abstürzen früherer Starts</translation>
    </message>
</context>
<context>
    <name>pim::studio::MessageBar</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
    <message>
        <source>Details of the message</source>
        <translation>Details der Meldung</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>Details zeigen</translation>
    </message>
    <message>
        <source>Copy the message and its details</source>
        <translation>Die Meldung und ihre Details kopieren</translation>
    </message>
    <message>
        <source>Open what was written</source>
        <translation>Das Geschriebene öffnen</translation>
    </message>
    <message>
        <source>Dismiss (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Dismiss the message</source>
        <translation>Die Meldung schließen</translation>
    </message>
</context>
<context>
    <name>pim::studio::MessageLog</name>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Meldung</translation>
    </message>
</context>
<context>
    <name>pim::studio::MessagesPanel</name>
    <message>
        <source>Copy Details</source>
        <translation>Details kopieren</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Messages, newest first</source>
        <translation>Meldungen, neueste zuerst</translation>
    </message>
    <message>
        <source>Details of the message</source>
        <translation>Details der Meldung</translation>
    </message>
    <message>
        <source>Errors and what was written are listed here. Choose one to read its details.</source>
        <translation>Hier stehen Fehler und was geschrieben wurde. Wählen Sie einen Eintrag, um Details zu lesen.</translation>
    </message>
    <message>
        <source>Copy time, message and details, for a bug report</source>
        <translation>Zeit, Meldung und Details kopieren, für einen Fehlerbericht</translation>
    </message>
</context>
<context>
    <name>pim::studio::ModelPanel</name>
    <message>
        <source>shape unknown</source>
        <translation>Form unbekannt</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… und %1 weitere</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Weights that are not included</source>
        <translation>Gewichte, die nicht enthalten sind</translation>
    </message>
    <message>
        <source>Facts about the model</source>
        <translation>Angaben zum Modell</translation>
    </message>
    <message>
        <source>No model open</source>
        <translation>Kein Modell geöffnet</translation>
    </message>
    <message>
        <source>1 weight tensor is not included.</source>
        <translation>1 Gewichtstensor ist nicht enthalten.</translation>
    </message>
    <message>
        <source>%1 weight tensors are not included.</source>
        <translation>%1 Gewichtstensoren sind nicht enthalten.</translation>
    </message>
    <message>
        <source> Placement and timing need only their shapes.</source>
        <translation> Platzierung und Zeiten brauchen nur ihre Formen.</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Erstellt mit</translation>
    </message>
    <message>
        <source>IR version</source>
        <translation>IR-Version</translation>
    </message>
    <message>
        <source>Opset</source>
        <translation>Opset</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>Structure hash</source>
        <translation>Hash der Struktur</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>Ops</translation>
    </message>
    <message>
        <source>Multiply-accumulates</source>
        <translation>Multiply-Accumulates</translation>
    </message>
    <message>
        <source> MACs</source>
        <translation> MACs</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>Arithmetische Intensität</translation>
    </message>
    <message>
        <source>Resident in PIM</source>
        <translation>Dauerhaft in PIM</translation>
    </message>
    <message>
        <source>Loaded once in</source>
        <translation>Einmal geladen in</translation>
    </message>
    <message>
        <source> (assumed)</source>
        <translation> (angenommen)</translation>
    </message>
    <message>
        <source>Whole network</source>
        <translation>Ganzes Netz</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>Dimensionen</translation>
    </message>
    <message>
        <source>Kinds of ops</source>
        <translation>Arten von Ops</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingänge</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgänge</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
</context>
<context>
    <name>pim::studio::OpenRequest</name>
    <message>
        <source>%1 is a folder. Drop the .onnx or .pimproj file in it.</source>
        <translation>%1 ist ein Ordner. Legen Sie die .onnx- oder .pimproj-Datei darin ab.</translation>
    </message>
    <message>
        <source>%1 is no report of a stored run: there is no link to a project in it. Open the project itself.</source>
        <translation>%1 ist kein Bericht eines gespeicherten Laufs: Er enthält keinen Link zu einem Projekt. Öffnen Sie das Projekt selbst.</translation>
    </message>
    <message>
        <source>%1 describes no target machine.</source>
        <translation>%1 beschreibt keine Zielmaschine.</translation>
    </message>
    <message>
        <source>%1 is a program, no model. Choose Open… in the panel Levels.</source>
        <translation>%1 ist ein Programm, kein Modell. Wählen Sie „Öffnen…“ im Panel „Ebenen“.</translation>
    </message>
    <message>
        <source>%1 cannot be opened. PIM Studio opens .onnx models, .pimproj projects, .html reports and .json targets.</source>
        <translation>%1 lässt sich nicht öffnen. PIM Studio öffnet .onnx-Modelle, .pimproj-Projekte, .html-Berichte und .json-Ziele.</translation>
    </message>
</context>
<context>
    <name>pim::studio::Panels</name>
    <message>
        <source>Panels in the same place</source>
        <translation>Panels am selben Platz</translation>
    </message>
</context>
<context>
    <name>pim::studio::ProblemDialog</name>
    <message>
        <source>Report a Problem</source>
        <translation>Problem melden</translation>
    </message>
    <message>
        <source>This writes an archive of the ticked files, for you to hand to whoever shall look at the problem. &lt;b&gt;Nothing is sent.&lt;/b&gt; Your home folder is written as ~.</source>
        <translation>Schreibt ein Archiv der angehakten Dateien, das Sie denen geben können, die sich das Problem ansehen sollen. &lt;b&gt;Gesendet wird nichts.&lt;/b&gt; Ihr persönlicher Ordner steht darin als ~.</translation>
    </message>
    <message>
        <source>What did you do, what did you expect, what happened?</source>
        <translation>Was haben Sie getan, was haben Sie erwartet, was geschah?</translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>Files of the report</source>
        <translation>Dateien des Berichts</translation>
    </message>
    <message>
        <source>Content of the file</source>
        <translation>Inhalt der Datei</translation>
    </message>
    <message>
        <source>The program, its libraries, this system and the machines it knows.</source>
        <translation>Das Programm, seine Bibliotheken, dieses System und die Maschinen, die es kennt.</translation>
    </message>
    <message>
        <source>What the program said since it began: files opened, tasks, messages.</source>
        <translation>Was das Programm seit dem Start gemeldet hat: geöffnete Dateien, Aufgaben, Meldungen.</translation>
    </message>
    <message>
        <source>Your settings, with the files opened last and how the window stands.</source>
        <translation>Ihre Einstellungen, mit den zuletzt geöffneten Dateien und der Anordnung des Fensters.</translation>
    </message>
    <message>
        <source>Save Report…</source>
        <translation>Bericht speichern…</translation>
    </message>
    <message>
        <source>Where %1 crashed: %2. Functions, and what it had said last.</source>
        <translation>Wo %1 abgestürzt ist: %2. Funktionen, und was es zuletzt gemeldet hatte.</translation>
    </message>
    <message>
        <source>The structure of %1: operators, shapes and names, without the numbers of its weights.</source>
        <translation>Der Aufbau von %1: Operatoren, Formen und Namen, ohne die Zahlen seiner Gewichte.</translation>
    </message>
    <message>
        <source>Cannot be added: %1</source>
        <translation>Kann nicht hinzugefügt werden: %1</translation>
    </message>
    <message>
        <source>An ONNX file; Netron and pimc inspect show what is in it.</source>
        <translation>Eine ONNX-Datei; Netron und pimc inspect zeigen, was darin ist.</translation>
    </message>
    <message>
        <source>The report is written; nothing was sent: %1</source>
        <translation>Der Bericht ist geschrieben; gesendet wurde nichts: %1</translation>
    </message>
    <message>
        <source>Save Report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Archives (*.zip)</source>
        <translation>Archive (*.zip)</translation>
    </message>
</context>
<context>
    <name>pim::studio::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>List of problems</source>
        <translation>Liste der Probleme</translation>
    </message>
    <message>
        <source>In %1 places</source>
        <translation>An %1 Stellen</translation>
    </message>
    <message>
        <source>In %1</source>
        <translation>In %1</translation>
    </message>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Hinweis</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 Hinweise</translation>
    </message>
    <message>
        <source>No problems found.</source>
        <translation>Keine Probleme gefunden.</translation>
    </message>
</context>
<context>
    <name>pim::studio::RecoveryBar</name>
    <message>
        <source>1 decision</source>
        <translation>1 Entscheidung</translation>
    </message>
    <message>
        <source>%1 decisions</source>
        <translation>%1 Entscheidungen</translation>
    </message>
    <message>
        <source>1 note</source>
        <translation>1 Notiz</translation>
    </message>
    <message>
        <source>%1 notes</source>
        <translation>%1 Notizen</translation>
    </message>
    <message>
        <source>%1 variants</source>
        <translation>%1 Varianten</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 Lauf</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>1 sweep</source>
        <translation>1 Sweep</translation>
    </message>
    <message>
        <source>%1 sweeps</source>
        <translation>%1 Sweeps</translation>
    </message>
    <message>
        <source>nothing that can be read</source>
        <translation>nichts Lesbares</translation>
    </message>
    <message>
        <source>Unknown model</source>
        <translation>Unbekanntes Modell</translation>
    </message>
    <message>
        <source>%1 on %2 · %3 · saved %4</source>
        <translation>%1 auf %2 · %3 · gespeichert %4</translation>
    </message>
    <message>
        <source>Unsaved work of an earlier session</source>
        <translation>Ungespeicherte Arbeit einer früheren Sitzung</translation>
    </message>
    <message>
        <source>Work that was not saved is kept:</source>
        <translation>Arbeit, die nicht gespeichert wurde, ist erhalten:</translation>
    </message>
    <message>
        <source>%1 · cannot be recovered: %2</source>
        <translation>%1 · nicht wiederherstellbar: %2</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Recover %1</source>
        <translation>%1 wiederherstellen</translation>
    </message>
    <message>
        <source>Open the model with all this</source>
        <translation>Das Modell mit alldem öffnen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Discard %1</source>
        <translation>%1 verwerfen</translation>
    </message>
    <message>
        <source>Delete all this for good</source>
        <translation>All das endgültig löschen</translation>
    </message>
    <message>
        <source>The unsaved work could not be deleted</source>
        <translation>Die ungespeicherte Arbeit konnte nicht gelöscht werden</translation>
    </message>
    <message>
        <source>Unsaved work</source>
        <translation>Ungespeicherte Arbeit</translation>
    </message>
</context>
<context>
    <name>pim::studio::Screenshots</name>
    <message>
        <source>the folder %1 cannot be made</source>
        <translation>der Ordner %1 kann nicht angelegt werden</translation>
    </message>
    <message>
        <source>still not finished after %1 s</source>
        <translation>nach %1 s noch nicht fertig</translation>
    </message>
    <message>
        <source>no op is placed on PIM</source>
        <translation>keine Op ist auf PIM platziert</translation>
    </message>
    <message>
        <source>no decision could be made</source>
        <translation>es konnte keine Entscheidung getroffen werden</translation>
    </message>
    <message>
        <source>%1 cannot be written</source>
        <translation>%1 kann nicht geschrieben werden</translation>
    </message>
    <message>
        <source>%1 pictures in %2</source>
        <translation>%1 Bilder in %2</translation>
    </message>
</context>
<context>
    <name>pim::studio::Session</name>
    <message>
        <source>%1, which was open last, no longer exists. Open it from its new place.</source>
        <translation>%1, zuletzt geöffnet, gibt es nicht mehr. Öffnen Sie es am neuen Ort.</translation>
    </message>
</context>
<context>
    <name>pim::studio::SettingsDialog</name>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Search all settings</source>
        <translation>Alle Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Pages of settings</source>
        <translation>Seiten der Einstellungen</translation>
    </message>
    <message>
        <source>Result of the search</source>
        <translation>Ergebnis der Suche</translation>
    </message>
    <message>
        <source>Reset This Page</source>
        <translation>Diese Seite zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all settings of this page to their defaults</source>
        <translation>Alle Einstellungen dieser Seite auf ihre Vorgaben zurücksetzen</translation>
    </message>
    <message>
        <source>All settings, shortcuts and layouts are kept in one text file:
%1</source>
        <translation>Alle Einstellungen, Tastenkürzel und Layouts liegen in einer Textdatei:
%1</translation>
    </message>
    <message>
        <source>File of the settings</source>
        <translation>Datei der Einstellungen</translation>
    </message>
    <message>
        <source>Open Its Folder</source>
        <translation>Ihren Ordner öffnen</translation>
    </message>
    <message>
        <source>Clear Recent Files</source>
        <translation>Zuletzt verwendete Dateien leeren</translation>
    </message>
    <message>
        <source>Choose %1…</source>
        <translation>%1 wählen…</translation>
    </message>
    <message>
        <source>No setting has &quot;%1&quot; in its name or description.</source>
        <translation>Keine Einstellung hat „%1“ im Namen oder in der Beschreibung.</translation>
    </message>
</context>
<context>
    <name>pim::studio::ShortcutEditor</name>
    <message>
        <source>Assign</source>
        <translation>Zuweisen</translation>
    </message>
    <message>
        <source>Take Over</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>No Shortcut</source>
        <translation>Kein Tastenkürzel</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Filter commands, e.g. &quot;export&quot; or &quot;Ctrl+K&quot;</source>
        <translation>Befehle filtern, z. B. „export“ oder „Strg+K“</translation>
    </message>
    <message>
        <source>Filter commands</source>
        <translation>Befehle filtern</translation>
    </message>
    <message>
        <source>Commands and their shortcuts</source>
        <translation>Befehle und ihre Tastenkürzel</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Shortcut</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>New shortcut: press its keys</source>
        <translation>Neues Tastenkürzel: seine Tasten drücken</translation>
    </message>
    <message>
        <source>Press the keys of the new shortcut</source>
        <translation>Die Tasten des neuen Tastenkürzels drücken</translation>
    </message>
    <message>
        <source>Assign the shortcut to this command and remove it from the other</source>
        <translation>Das Tastenkürzel diesem Befehl zuweisen und dem anderen nehmen</translation>
    </message>
    <message>
        <source>The command stays in the menu and the palette</source>
        <translation>Der Befehl bleibt im Menü und in der Palette</translation>
    </message>
    <message>
        <source>Reset to the default shortcut</source>
        <translation>Auf das voreingestellte Tastenkürzel zurücksetzen</translation>
    </message>
    <message>
        <source>Why a shortcut was refused</source>
        <translation>Warum ein Tastenkürzel abgelehnt wurde</translation>
    </message>
    <message>
        <source>New shortcut</source>
        <translation>Neues Tastenkürzel</translation>
    </message>
    <message>
        <source>%1 is assigned to &quot;%2&quot; (%3). Reassign it, or press other keys.</source>
        <translation>%1 ist „%2“ zugewiesen (%3). Weisen Sie es neu zu oder drücken Sie andere Tasten.</translation>
    </message>
    <message>
        <source>%1 is now assigned to &quot;%2&quot;. Change that one first, or reset all.</source>
        <translation>%1 ist jetzt „%2“ zugewiesen. Ändern Sie zuerst jenes oder setzen Sie alle zurück.</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
</context>
<context>
    <name>pim::studio::TargetBox</name>
    <message>
        <source>Host: %1</source>
        <translation>Host: %1</translation>
    </message>
    <message>
        <source>Target machine</source>
        <translation>Zielmaschine</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>Aus einer Datei…</translation>
    </message>
    <message>
        <source>Open Target</source>
        <translation>Ziel öffnen</translation>
    </message>
    <message>
        <source>Target descriptions (*.json)</source>
        <translation>Zielbeschreibungen (*.json)</translation>
    </message>
    <message>
        <source>Choose a target</source>
        <translation>Ein Ziel wählen</translation>
    </message>
    <message>
        <source>The machine to compile for</source>
        <translation>Die Maschine, für die übersetzt wird</translation>
    </message>
</context>
<context>
    <name>pim::studio::TaskBar</name>
    <message>
        <source>Running tasks</source>
        <translation>Laufende Aufgaben</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Progress of the task</source>
        <translation>Fortschritt der Aufgabe</translation>
    </message>
    <message>
        <source>Cancel this task</source>
        <translation>Diese Aufgabe abbrechen</translation>
    </message>
    <message>
        <source>All running tasks</source>
        <translation>Alle laufenden Aufgaben</translation>
    </message>
    <message>
        <source>Cancel one of the running tasks, or list all of them</source>
        <translation>Eine der laufenden Aufgaben abbrechen oder alle auflisten</translation>
    </message>
    <message>
        <source>Cancel &quot;%1&quot;</source>
        <translation>„%1“ abbrechen</translation>
    </message>
    <message>
        <source>All &amp;Tasks…</source>
        <translation>Alle &amp;Aufgaben…</translation>
    </message>
    <message>
        <source> (%1 of %2)</source>
        <translation> (%1 von %2)</translation>
    </message>
    <message>
        <source> (%1 done)</source>
        <translation> (%1 fertig)</translation>
    </message>
    <message>
        <source>%1, %2 s</source>
        <translation>%1, %2 s</translation>
    </message>
    <message>
        <source>+%1</source>
        <translation>+%1</translation>
    </message>
</context>
<context>
    <name>pim::studio::TaskModel</name>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Running: %1</source>
        <translation>Läuft: %1</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Done, with a note: %1</source>
        <translation>Fertig, mit einem Hinweis: %1</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>Failed: %1</source>
        <translation>Fehlgeschlagen: %1</translation>
    </message>
    <message>
        <source>Replaced by newer work</source>
        <translation>Durch neuere Arbeit ersetzt</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 done</source>
        <translation>%1 fertig</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Elapsed (s)</source>
        <translation>Dauer (s)</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
</context>
<context>
    <name>pim::studio::TasksPanel</name>
    <message>
        <source>Cancel task</source>
        <translation>Aufgabe abbrechen</translation>
    </message>
    <message>
        <source>Cancel all</source>
        <translation>Alle abbrechen</translation>
    </message>
    <message>
        <source>Clear ended</source>
        <translation>Beendete entfernen</translation>
    </message>
    <message>
        <source>Tasks</source>
        <translation>Aufgaben</translation>
    </message>
    <message>
        <source>Running and finished tasks</source>
        <translation>Laufende und beendete Aufgaben</translation>
    </message>
    <message>
        <source>Cancel the selected tasks (Del)</source>
        <translation>Die gewählten Aufgaben abbrechen (Entf)</translation>
    </message>
    <message>
        <source>Cancel everything that runs (Ctrl+.)</source>
        <translation>Alles abbrechen, was läuft (Strg+.)</translation>
    </message>
    <message>
        <source>Remove finished tasks from the list</source>
        <translation>Beendete Aufgaben aus der Liste entfernen</translation>
    </message>
</context>
<context>
    <name>pim::studio::Tour</name>
    <message>
        <source>End tour</source>
        <translation>Rundgang beenden</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>Rundgang</translation>
    </message>
    <message>
        <source>End the tour (Esc)</source>
        <translation>Den Rundgang beenden (Esc)</translation>
    </message>
    <message>
        <source>The step before (Left)</source>
        <translation>Der vorige Schritt (Links)</translation>
    </message>
    <message>
        <source>The next step (Right or Enter)</source>
        <translation>Der nächste Schritt (Rechts oder Eingabe)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>%1 of %2 · %3</source>
        <translation>%1 von %2 · %3</translation>
    </message>
</context>
<context>
    <name>pim::studio::WelcomePage</name>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>PIM Studio</source>
        <translation>PIM Studio</translation>
    </message>
    <message>
        <source>Open a neural network, choose a processing-in-memory machine, and see where the time goes, why, and what could be done about it.</source>
        <translation>Öffnen Sie ein neuronales Netz, wählen Sie eine Processing-in-Memory-Maschine und sehen Sie, wo die Zeit bleibt, warum, und was sich daran ändern lässt.</translation>
    </message>
    <message>
        <source>Open Model or Project…</source>
        <translation>Modell oder Projekt öffnen…</translation>
    </message>
    <message>
        <source>Open a model or a project</source>
        <translation>Ein Modell oder Projekt öffnen</translation>
    </message>
    <message>
        <source>Open a model or a project (Ctrl+O)</source>
        <translation>Ein Modell oder Projekt öffnen (Strg+O)</translation>
    </message>
    <message>
        <source>Take the Tour</source>
        <translation>Rundgang starten</translation>
    </message>
    <message>
        <source>Take the tour of five steps</source>
        <translation>Den Rundgang in fünf Schritten starten</translation>
    </message>
    <message>
        <source>Five steps through the window, in a minute</source>
        <translation>In fünf Schritten durch das Fenster, in einer Minute</translation>
    </message>
    <message>
        <source>or drop an .onnx or .pimproj file anywhere on this window</source>
        <translation>oder legen Sie eine .onnx- oder .pimproj-Datei irgendwo in diesem Fenster ab</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt verwendete Dateien</translation>
    </message>
    <message>
        <source>Remove missing</source>
        <translation>Fehlende entfernen</translation>
    </message>
    <message>
        <source>Remove files that no longer exist from the list (Del removes a single one)</source>
        <translation>Dateien aus der Liste entfernen, die es nicht mehr gibt (Entf entfernt eine einzelne)</translation>
    </message>
    <message>
        <source>Remove missing files from the list</source>
        <translation>Fehlende Dateien aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Open the sample %1</source>
        <translation>Das Beispiel %1 öffnen</translation>
    </message>
    <message>
        <source>Sample projects</source>
        <translation>Beispielprojekte</translation>
    </message>
    <message>
        <source>Samples: one click, nothing to download</source>
        <translation>Beispiele: ein Klick, nichts herunterzuladen</translation>
    </message>
    <message>
        <source>Machines to compile for</source>
        <translation>Maschinen, für die übersetzt werden kann</translation>
    </message>
    <message>
        <source>Compile for</source>
        <translation>Übersetzen für</translation>
    </message>
    <message>
        <source>All of it…</source>
        <translation>Alles davon…</translation>
    </message>
    <message>
        <source>Everything that is new</source>
        <translation>Alles, was neu ist</translation>
    </message>
    <message>
        <source>Opens the help page with everything that is new</source>
        <translation>Öffnet die Hilfeseite mit allem, was neu ist</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>Was ist neu</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>%1 (missing)
%2</source>
        <translation>%1 (fehlt)
%2</translation>
    </message>
    <message>
        <source>%1 no longer exists; Del removes it from the list</source>
        <translation>%1 gibt es nicht mehr; Entf entfernt die Datei aus der Liste</translation>
    </message>
    <message>
        <source>Files you open are listed here</source>
        <translation>Dateien, die Sie öffnen, stehen hier</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
    <message>
        <source>&amp;Copy Path</source>
        <translation>&amp;Pfad kopieren</translation>
    </message>
    <message>
        <source>&amp;Remove from List</source>
        <translation>&amp;Aus der Liste entfernen</translation>
    </message>
</context>
<context>
    <name>pim::views::AreaModel</name>
    <message>
        <source>Tracks</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>Abschnitte</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>Of the time of all chosen tracks of the group</source>
        <translation>An der Zeit aller gewählten Spuren der Gruppe</translation>
    </message>
    <message>
        <source>Of all busy time in the area</source>
        <translation>An aller Arbeitszeit im Bereich</translation>
    </message>
</context>
<context>
    <name>pim::views::Breadcrumbs</name>
    <message>
        <source>Where the selection is in the graph</source>
        <translation>Wo die Auswahl im Graphen liegt</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Show all of %1, %2 ops</source>
        <translation>Alles von %1 zeigen, %2 Ops</translation>
    </message>
    <message>
        <source>Go to %1 (%2)</source>
        <translation>Zu %1 gehen (%2)</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>Gewählt: %1</translation>
    </message>
</context>
<context>
    <name>pim::views::BreakdownModel</name>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>PIM</source>
        <translation>PIM</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Name of the op</source>
        <translation>Name der Op</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Kind of op</source>
        <translation>Art der Op</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>Host or PIM</source>
        <translation>Host oder PIM</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>All parts of the placement chosen</source>
        <translation>Alle Teile der gewählten Platzierung</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of the total of the network</source>
        <translation>An der Gesamtzeit des Netzes</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>Total from running the commands; – where the op was not simulated</source>
        <translation>Gesamtzeit aus dem Ausführen der Befehle; – wo die Op nicht simuliert wurde</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Simulated over predicted, less 1: how far the prediction is off</source>
        <translation>Simuliert durch vorhergesagt, minus 1: wie weit die Vorhersage daneben liegt</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Rearrangement of inputs on their way to PIM</source>
        <translation>Umordnung der Eingänge auf dem Weg zu PIM</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>PIM units busy</source>
        <translation>PIM-Einheiten arbeiten</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Rearrangement of outputs, partial results merged</source>
        <translation>Umordnung der Ausgänge, Teilergebnisse zusammengeführt</translation>
    </message>
    <message>
        <source>Mode switch</source>
        <translation>Moduswechsel</translation>
    </message>
    <message>
        <source>Entering and leaving PIM mode</source>
        <translation>In den PIM-Modus und wieder heraus</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>Weights written into compute arrays while the network runs</source>
        <translation>Gewichte, die im laufenden Netz in Rechen-Arrays geschrieben werden</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Time on the host, for ops placed there</source>
        <translation>Zeit auf dem Host, für Ops, die dort platziert sind</translation>
    </message>
    <message>
        <source>If on host</source>
        <translation>Auf dem Host</translation>
    </message>
    <message>
        <source>Time of the op if it ran on the host</source>
        <translation>Zeit der Op, wenn sie auf dem Host liefe</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Over the same op on the host</source>
        <translation>Gegenüber derselben Op auf dem Host</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MACs</translation>
    </message>
    <message>
        <source>Multiply-accumulates</source>
        <translation>Multiply-Accumulates</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Why the op is where it is</source>
        <translation>Warum die Op ist, wo sie ist</translation>
    </message>
</context>
<context>
    <name>pim::views::BreakdownView</name>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>the kept plan is of another model (%1)</source>
        <translation>der behaltene Plan ist von einem anderen Modell (%1)</translation>
    </message>
    <message>
        <source>one plan&apos;s time is a sample&apos;s, the other&apos;s is the time between two samples in flight</source>
        <translation>die Zeit des einen Plans ist die eines Samples, die des anderen die zwischen zwei Samples in der Pipeline</translation>
    </message>
    <message>
        <source>Top</source>
        <translation>Oben</translation>
    </message>
    <message>
        <source>Breakdown of the time</source>
        <translation>Aufschlüsselung der Zeit</translation>
    </message>
    <message>
        <source>Nothing compiled yet</source>
        <translation>Noch nichts übersetzt</translation>
    </message>
    <message>
        <source>Open a model and choose a target; the times of its ops appear here.</source>
        <translation>Öffnen Sie ein Modell und wählen Sie ein Ziel; hier erscheinen die Zeiten seiner Ops.</translation>
    </message>
    <message>
        <source>Bars of the most expensive ops</source>
        <translation>Balken der teuersten Ops</translation>
    </message>
    <message>
        <source>Table of all ops</source>
        <translation>Tabelle aller Ops</translation>
    </message>
    <message>
        <source>Simulated time, error of the prediction, idle time</source>
        <translation>Simulierte Zeit, Fehler der Vorhersage, Leerlauf</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source> ops</source>
        <translation> Ops</translation>
    </message>
    <message>
        <source>Number of ops shown</source>
        <translation>Zahl der gezeigten Ops</translation>
    </message>
    <message>
        <source>How many of the most expensive ops are shown</source>
        <translation>Wie viele der teuersten Ops gezeigt werden</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter of the table</source>
        <translation>Filter der Tabelle</translation>
    </message>
    <message>
        <source>Keep this plan as A: later plans are shown beside it with their differences</source>
        <translation>Diesen Plan als A behalten: Spätere Pläne werden mit ihren Unterschieden daneben gezeigt</translation>
    </message>
    <message>
        <source>Keep this plan to compare with</source>
        <translation>Diesen Plan zum Vergleich behalten</translation>
    </message>
    <message>
        <source>&lt;b&gt;What limits this:&lt;/b&gt; %1.</source>
        <translation>&lt;b&gt;Der Engpass:&lt;/b&gt; %1.</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; simulated</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; simuliert</translation>
    </message>
    <message>
        <source> · &lt;i&gt;≈ predictions&lt;/i&gt; are off by %1</source>
        <translation> · &lt;i&gt;≈ Vorhersagen&lt;/i&gt; liegen %1 daneben</translation>
    </message>
    <message>
        <source>&lt;i&gt;≈ predicted&lt;/i&gt;: its error is unknown until the plan is simulated</source>
        <translation>&lt;i&gt;≈ vorhergesagt&lt;/i&gt;: Der Fehler ist unbekannt, bis der Plan simuliert ist</translation>
    </message>
    <message>
        <source> · parts work side by side: the time is shared out by what keeps components busy, %1 of it to computing</source>
        <translation> · Teile arbeiten nebeneinander: Die Zeit ist danach aufgeteilt, was Komponenten beschäftigt, %1 davon Rechnen</translation>
    </message>
    <message>
        <source> · PIM units compute %1 of the time and idle %2</source>
        <translation> · PIM-Einheiten rechnen %1 der Zeit und ruhen %2</translation>
    </message>
    <message>
        <source>✗ not compared: %1</source>
        <translation>✗ nicht verglichen: %1</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>✓ same model and target</source>
        <translation>✓ gleiches Modell und Ziel</translation>
    </message>
    <message>
        <source>same model, other target: %1 → %2</source>
        <translation>gleiches Modell, anderes Ziel: %1 → %2</translation>
    </message>
    <message>
        <source>This plan is kept; change a decision to see what differs.</source>
        <translation>Dieser Plan ist behalten; ändern Sie eine Entscheidung, um Unterschiede zu sehen.</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; %2</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; %2</translation>
    </message>
    <message>
        <source> from one sample to the next, the first after %1</source>
        <translation> von einem Sample zum nächsten, das erste nach %1</translation>
    </message>
    <message>
        <source> · &lt;b&gt;%1&lt;/b&gt; over host only (%2 on %3)</source>
        <translation> · &lt;b&gt;%1&lt;/b&gt; gegenüber Host allein (%2 auf %3)</translation>
    </message>
    <message>
        <source> · weights loaded once: %1</source>
        <translation> · Gewichte einmal geladen: %1</translation>
    </message>
    <message>
        <source>being recomputed</source>
        <translation>wird neu berechnet</translation>
    </message>
    <message>
        <source>Total of the network: %1 ns (%2)
All ops on %3: %4 ns</source>
        <translation>Gesamtzeit des Netzes: %1 ns (%2)
Alle Ops auf %3: %4 ns</translation>
    </message>
    <message>
        <source>Network (%1)</source>
        <translation>Netz (%1)</translation>
    </message>
    <message>
        <source>A: kept plan</source>
        <translation>A: behaltener Plan</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>dieser Plan</translation>
    </message>
    <message>
        <source>%1%2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>host only</source>
        <translation>nur Host</translation>
    </message>
    <message>
        <source>ops that pass the filters</source>
        <translation>Ops, die durch die Filter kommen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Most expensive ops: %1 of %2</source>
        <translation>Teuerste Ops: %1 von %2</translation>
    </message>
    <message>
        <source>Most expensive ops that pass the filters: %1 of %2</source>
        <translation>Teuerste Ops, die durch die Filter kommen: %1 von %2</translation>
    </message>
    <message>
        <source>, %1 of the time</source>
        <translation>, %1 der Zeit</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1:&lt;/b&gt; %2.</source>
        <translation>&lt;b&gt;%1:&lt;/b&gt; %2.</translation>
    </message>
    <message>
        <source>bars are &lt;i&gt;≈ predicted&lt;/i&gt;</source>
        <translation>Balken sind &lt;i&gt;≈ vorhergesagt&lt;/i&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; simulated · &lt;small&gt;%2 of %3 predicted&lt;/small&gt;</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; simuliert · &lt;small&gt;%2 von %3 vorhergesagt&lt;/small&gt;</translation>
    </message>
</context>
<context>
    <name>pim::views::CampaignBar</name>
    <message>
        <source>&amp;Merge into Project</source>
        <translation>Ins Projekt &amp;übernehmen</translation>
    </message>
    <message>
        <source>Campaign</source>
        <translation>Kampagne</translation>
    </message>
    <message>
        <source>Folder of the campaign</source>
        <translation>Ordner der Kampagne</translation>
    </message>
    <message>
        <source>How far the campaign is</source>
        <translation>Wie weit die Kampagne ist</translation>
    </message>
    <message>
        <source>Compute the campaign here</source>
        <translation>Die Kampagne hier berechnen</translation>
    </message>
    <message>
        <source>Merge the campaign into the project</source>
        <translation>Die Kampagne ins Projekt übernehmen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close the campaign</source>
        <translation>Die Kampagne schließen</translation>
    </message>
    <message>
        <source>Stop looking at the folder; what is computed here stops after the points that are finished</source>
        <translation>Den Ordner nicht weiter ansehen; was hier berechnet wird, hört nach den fertigen Punkten auf</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>, %1 failed</source>
        <translation>, %1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>, %1 left out</source>
        <translation>, %1 ausgelassen</translation>
    </message>
    <message>
        <source> · claimed: %1 of %2 open chunks</source>
        <translation> · vergeben: %1 von %2 offenen Blöcken</translation>
    </message>
    <message>
        <source> · nobody computes</source>
        <translation> · niemand rechnet</translation>
    </message>
    <message>
        <source> · not readable</source>
        <translation> · nicht lesbar</translation>
    </message>
    <message>
        <source>%1 of one core so far, %2 a point</source>
        <translation>%1 eines Kerns bisher, %2 je Punkt</translation>
    </message>
    <message>
        <source>%1 lines were cut or changed and count for nothing</source>
        <translation>%1 Zeilen wurden abgeschnitten oder verändert und zählen nicht</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>Compute &amp;Here</source>
        <translation>Hier &amp;rechnen</translation>
    </message>
    <message>
        <source>Pause computing the campaign here</source>
        <translation>Die Berechnung der Kampagne hier anhalten</translation>
    </message>
    <message>
        <source>Stop after the points that are finished; other processes go on</source>
        <translation>Nach den fertigen Punkten aufhören; andere Prozesse machen weiter</translation>
    </message>
    <message>
        <source>Start pimc sweep run on this machine; it computes what nobody else computes</source>
        <translation>pimc sweep run auf diesem Rechner starten; es berechnet, was sonst niemand berechnet</translation>
    </message>
    <message>
        <source>Keep all points in the project</source>
        <translation>Alle Punkte im Projekt behalten</translation>
    </message>
    <message>
        <source>Save the project first: points are kept in its file</source>
        <translation>Speichern Sie zuerst das Projekt: Punkte werden in seiner Datei behalten</translation>
    </message>
    <message>
        <source>Possible when all points are there</source>
        <translation>Möglich, wenn alle Punkte da sind</translation>
    </message>
</context>
<context>
    <name>pim::views::CampaignWatcher</name>
    <message>
        <source>The campaign is not computed here</source>
        <translation>Die Kampagne wird hier nicht berechnet</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 lässt sich nicht starten: %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be opened</source>
        <translation>„%1“ lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>Planning a campaign</source>
        <translation>Eine Kampagne wird geplant</translation>
    </message>
    <message>
        <source>The campaign is not planned</source>
        <translation>Die Kampagne wurde nicht geplant</translation>
    </message>
    <message>
        <source>There is no program pimc beside this one, nor in a folder of PATH.</source>
        <translation>Neben diesem Programm und in den Ordnern von PATH gibt es kein Programm pimc.</translation>
    </message>
    <message>
        <source>Merging %1</source>
        <translation>%1 wird übernommen</translation>
    </message>
    <message>
        <source>The campaign is not merged</source>
        <translation>Die Kampagne wurde nicht übernommen</translation>
    </message>
</context>
<context>
    <name>pim::views::ChangeModel</name>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
</context>
<context>
    <name>pim::views::ChipCanvas</name>
    <message>
        <source>Chips, cores and arrays</source>
        <translation>Chips, Kerne und Arrays</translation>
    </message>
    <message>
        <source>Arrow keys go from core to core, Page Up and Page Down from array group to array group, Ctrl+X picks one up, Ctrl+V puts it down, Esc cancels.</source>
        <translation>Pfeiltasten gehen von Kern zu Kern, Bild auf und Bild ab von Arraygruppe zu Arraygruppe, Strg+X nimmt eine auf, Strg+V setzt sie ab, Esc bricht ab.</translation>
    </message>
    <message>
        <source>free array</source>
        <translation>freies Array</translation>
    </message>
    <message>
        <source>it is already there</source>
        <translation>sie ist schon dort</translation>
    </message>
    <message>
        <source>Move array group %1 of %2, replica %3, to core %4</source>
        <translation>Arraygruppe %1 von %2, Replikat %3, auf Kern %4 verschieben</translation>
    </message>
    <message>
        <source>core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>arrays</source>
        <translation>Arrays</translation>
    </message>
    <message>
        <source>arrays used</source>
        <translation>belegte Arrays</translation>
    </message>
    <message>
        <source>busy (ns)</source>
        <translation>Arbeit (ns)</translation>
    </message>
    <message>
        <source>waiting (ns)</source>
        <translation>Warten (ns)</translation>
    </message>
    <message>
        <source>traffic (bytes)</source>
        <translation>Verkehr (Byte)</translation>
    </message>
    <message>
        <source>local memory (bytes)</source>
        <translation>lokaler Speicher (Byte)</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>array group %1 of %2</source>
        <translation>Array-Gruppe %1 von %2</translation>
    </message>
    <message>
        <source>Core %1</source>
        <translation>Kern %1</translation>
    </message>
</context>
<context>
    <name>pim::views::ChipFactsWords</name>
    <message>
        <source>waiting for other cores or the host</source>
        <translation>Warten auf andere Kerne oder den Host</translation>
    </message>
    <message>
        <source>products of its arrays</source>
        <translation>Produkte ihrer Arrays</translation>
    </message>
    <message>
        <source>vector work</source>
        <translation>Vektorarbeit</translation>
    </message>
    <message>
        <source>copies in its memory</source>
        <translation>Kopien in ihrem Speicher</translation>
    </message>
    <message>
        <source>loads and stores</source>
        <translation>Lade- und Speicherbefehle</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>Übertragungen</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 samples/s&lt;/b&gt; · one every %2 · the first after %3 (%4)</source>
        <translation>&lt;b&gt;%1 Samples/s&lt;/b&gt; · alle %2 eines · das erste nach %3 (%4)</translation>
    </message>
    <message>
        <source>1 stage</source>
        <translation>1 Stufe</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 Stufen</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; a sample</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; je Sample</translation>
    </message>
    <message>
        <source> without the host</source>
        <translation> ohne den Host</translation>
    </message>
    <message>
        <source> · %1 of the arrays in use</source>
        <translation> · %1 der Arrays belegt</translation>
    </message>
    <message>
        <source> · %1 a sample</source>
        <translation> · %1 je Sample</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Arrays in use</source>
        <translation>Belegte Arrays</translation>
    </message>
    <message>
        <source>Products at work</source>
        <translation>Produkte in Arbeit</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Local memory</source>
        <translation>Lokaler Speicher</translation>
    </message>
    <message>
        <source>&lt;b&gt;Core %1&lt;/b&gt;</source>
        <translation>&lt;b&gt;Kern %1&lt;/b&gt;</translation>
    </message>
    <message>
        <source> of chip %1</source>
        <translation> von Chip %1</translation>
    </message>
    <message>
        <source>&lt;br&gt;%1 of %2 arrays hold weights</source>
        <translation>&lt;br&gt;%1 von %2 Arrays halten Gewichte</translation>
    </message>
    <message>
        <source>&lt;br&gt;Most of its time: %1</source>
        <translation>&lt;br&gt;Das meiste seiner Zeit: %1</translation>
    </message>
    <message>
        <source>&lt;br&gt;and %1 more layers</source>
        <translation>&lt;br&gt;und %1 weitere Schichten</translation>
    </message>
    <message>
        <source>&lt;br&gt;%1: %2, %3</source>
        <translation>&lt;br&gt;%1: %2, %3</translation>
    </message>
    <message>
        <source>1 array</source>
        <translation>1 Array</translation>
    </message>
    <message>
        <source>%1 arrays</source>
        <translation>%1 Arrays</translation>
    </message>
    <message>
        <source>1 replica</source>
        <translation>1 Replikat</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 Replikate</translation>
    </message>
</context>
<context>
    <name>pim::views::ChipMapView</name>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>First op of the layer</source>
        <translation>Erste Op der Schicht</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>Number of copies of its weights on the machine</source>
        <translation>Zahl der Kopien ihrer Gewichte auf der Maschine</translation>
    </message>
    <message>
        <source>Unfolding</source>
        <translation>Entfaltung</translation>
    </message>
    <message>
        <source>unfolding</source>
        <translation>Entfaltung</translation>
    </message>
    <message>
        <source>How weights become matrices: rows, columns, matrices</source>
        <translation>Wie aus Gewichten Matrizen werden: Zeilen, Spalten, Matrizen</translation>
    </message>
    <message>
        <source>Arrays</source>
        <translation>Arrays</translation>
    </message>
    <message>
        <source>arrays</source>
        <translation>Arrays</translation>
    </message>
    <message>
        <source>Logical arrays of all replicas</source>
        <translation>Logische Arrays aller Replikate</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>array groups of a replica</source>
        <translation>Arraygruppen eines Replikats</translation>
    </message>
    <message>
        <source>Array groups of a replica: arrays that share their input</source>
        <translation>Arraygruppen eines Replikats: Arrays, die sich ihren Eingang teilen</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>windows</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Output pixels of a sample; of a transposed convolution those of one phase</source>
        <translation>Ausgangspixel eines Samples; bei transponierter Faltung die einer Phase</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Cores that hold part of it</source>
        <translation>Kerne, die einen Teil davon halten</translation>
    </message>
    <message>
        <source>Each works</source>
        <translation>Jedes arbeitet</translation>
    </message>
    <message>
        <source>work of an array (ns)</source>
        <translation>Arbeit eines Arrays (ns)</translation>
    </message>
    <message>
        <source>How long each of its arrays computes for a sample</source>
        <translation>Wie lange jedes ihrer Arrays für ein Sample rechnet</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>share of a sample</source>
        <translation>Anteil an einem Sample</translation>
    </message>
    <message>
        <source>Of the time a sample takes, in high throughput of the time between two: the layer with the most keeps samples from coming faster, where arrays do</source>
        <translation>An der Zeit eines Samples, bei hohem Durchsatz der Zeit zwischen zweien: Die Schicht mit dem größten Anteil hält die Samples auf, wo es die Arrays tun</translation>
    </message>
    <message>
        <source>Map of the chips</source>
        <translation>Karte der Chips</translation>
    </message>
    <message>
        <source>This plan has no crossbar cores</source>
        <translation>Dieser Plan hat keine Crossbar-Kerne</translation>
    </message>
    <message>
        <source>Choose a target of crossbar cores, such as isaac; its chips, cores and arrays appear here.</source>
        <translation>Wählen Sie ein Ziel mit Crossbar-Kernen wie isaac; hier erscheinen seine Chips, Kerne und Arrays.</translation>
    </message>
    <message>
        <source>Throughput, latency, use</source>
        <translation>Durchsatz, Latenz, Belegung</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Layers on the chips</source>
        <translation>Schichten auf den Chips</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Layers, search, memory</source>
        <translation>Schichten, Suche, Speicher</translation>
    </message>
    <message>
        <source>Chosen layer</source>
        <translation>Gewählte Schicht</translation>
    </message>
    <message>
        <source>Unfolding of the layer</source>
        <translation>Entfaltung der Schicht</translation>
    </message>
    <message>
        <source>Replicas of the layer</source>
        <translation>Replikate der Schicht</translation>
    </message>
    <message>
        <source>Number of copies of the layer&apos;s weights on the machine; more copies work in parallel</source>
        <translation>Zahl der Kopien der Gewichte dieser Schicht auf der Maschine; mehr Kopien arbeiten parallel</translation>
    </message>
    <message>
        <source>Let the compiler decide about this layer again</source>
        <translation>Wieder den Compiler über diese Schicht entscheiden lassen</translation>
    </message>
    <message>
        <source>Reset the layer</source>
        <translation>Schicht zurücksetzen</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>No layer chosen</source>
        <translation>Keine Schicht gewählt</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; %2 × %3 weights, %4 arrays per replica</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; %2 × %3 Gewichte, %4 Arrays je Replikat</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n phases</source>
        <translation>
            <numerusform>%1, %n Phase</numerusform>
            <numerusform>%1, %n Phasen</numerusform>
        </translation>
    </message>
    <message>
        <source>Let the compiler decide about %1</source>
        <translation>Den Compiler über %1 entscheiden lassen</translation>
    </message>
    <message>
        <source>Memory over time</source>
        <translation>Speicher über die Zeit</translation>
    </message>
</context>
<context>
    <name>pim::views::CodeText</name>
    <message>
        <source>line	instructions	share	code
</source>
        <translation>Zeile	Instruktionen	Anteil	Code
</translation>
    </message>
    <message>
        <source>Line %1: no instructions of its own</source>
        <translation>Zeile %1: keine eigenen Instruktionen</translation>
    </message>
    <message>
        <source>Line %1: %2 of %3 instructions issued by all tasklets, %4</source>
        <translation>Zeile %1: %2 von %3 Instruktionen aller Tasklets, %4</translation>
    </message>
    <message>
        <source>Copy With Figures</source>
        <translation>Mit Zahlen kopieren</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>Save as C…</source>
        <translation>Als C speichern…</translation>
    </message>
    <message>
        <source>Save Code</source>
        <translation>Code speichern</translation>
    </message>
</context>
<context>
    <name>pim::views::CodebooksView</name>
    <message>
        <source>Codebooks</source>
        <translation>Codebooks</translation>
    </message>
    <message>
        <source>Layer whose codebooks are shown</source>
        <translation>Schicht, deren Codebooks gezeigt werden</translation>
    </message>
    <message>
        <source>Layers that became look-up tables</source>
        <translation>Schichten, die zu Lookup-Tabellen wurden</translation>
    </message>
    <message>
        <source>Codebook that is shown</source>
        <translation>Gezeigtes Codebook</translation>
    </message>
    <message>
        <source>Codebook: the number of a sub-vector in a row of the input</source>
        <translation>Codebook: die Nummer eines Teilvektors in einer Zeile des Eingangs</translation>
    </message>
    <message>
        <source>codebook </source>
        <translation>Codebook </translation>
    </message>
    <message>
        <source>What the codebook is</source>
        <translation>Was das Codebook ist</translation>
    </message>
    <message>
        <source>What is marked</source>
        <translation>Was markiert ist</translation>
    </message>
    <message>
        <source>Sub-vectors and centroids on the plane in which they spread most</source>
        <translation>Teilvektoren und Zentroide in der Ebene, in der sie am weitesten streuen</translation>
    </message>
    <message>
        <source>Left and Right go from centroid to centroid, F shows all</source>
        <translation>Links und Rechts gehen von Zentroid zu Zentroid, F zeigt alles</translation>
    </message>
    <message>
        <source>How often each centroid is chosen</source>
        <translation>Wie oft jeder Zentroid gewählt wird</translation>
    </message>
    <message>
        <source>Left and Right go from centroid to centroid</source>
        <translation>Links und Rechts gehen von Zentroid zu Zentroid</translation>
    </message>
    <message>
        <source>What each codebook loses</source>
        <translation>Was jedes Codebook verliert</translation>
    </message>
    <message>
        <source>Left and Right go from codebook to codebook</source>
        <translation>Links und Rechts gehen von Codebook zu Codebook</translation>
    </message>
    <message>
        <source>centroid</source>
        <translation>Zentroid</translation>
    </message>
    <message>
        <source>times chosen</source>
        <translation>Male gewählt</translation>
    </message>
    <message>
        <source>codebook</source>
        <translation>Codebook</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>No codebooks to show</source>
        <translation>Keine Codebooks zu zeigen</translation>
    </message>
    <message>
        <source>Of this calibration only the figures are kept. Calibrate again in the panel Look-Up Tables to see its codebooks.</source>
        <translation>Von dieser Kalibrierung sind nur die Zahlen erhalten. Kalibrieren Sie im Panel „Lookup-Tabellen“ erneut, um ihre Codebooks zu sehen.</translation>
    </message>
    <message>
        <source>The network is being calibrated.</source>
        <translation>Das Netz wird kalibriert.</translation>
    </message>
    <message>
        <source>Calibrate the network in the panel Look-Up Tables: products with constant weights become codebooks and tables.</source>
        <translation>Kalibrieren Sie das Netz im Panel „Lookup-Tabellen“: Aus Produkten mit konstanten Gewichten werden Codebooks und Tabellen.</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; off · %2 centroids of %3 elements, %4 never chosen · %5 of %6 sub-vectors drawn</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; daneben · %2 Zentroide aus %3 Elementen, %4 nie gewählt · %5 von %6 Teilvektoren gezeichnet</translation>
    </message>
    <message>
        <source>first principal component (%1 of the variance)</source>
        <translation>erste Hauptkomponente (%1 der Varianz)</translation>
    </message>
    <message>
        <source>second (%1)</source>
        <translation>zweite (%1)</translation>
    </message>
    <message>
        <source>Centroid %1: chosen %2 times, %3 of all · %4 of the drawn sub-vectors</source>
        <translation>Zentroid %1: %2-mal gewählt, %3 von allen · %4 der gezeichneten Teilvektoren</translation>
    </message>
    <message>
        <source>Colour and shape: closest centroid · ◆ centroid, ◇ never chosen · click one to mark it, a codebook to show it · wheel zooms, double click shows all</source>
        <translation>Farbe und Form: nächster Zentroid · ◆ Zentroid, ◇ nie gewählt · ein Klick markiert ihn, bei einem Codebook zeigt er es · Rad zoomt, Doppelklick zeigt alles</translation>
    </message>
    <message>
        <source>centroid %1: (%2)
chosen %3 times, %4 of all</source>
        <translation>Zentroid %1: (%2)
%3-mal gewählt, %4 von allen</translation>
    </message>
    <message>
        <source>sub-vector of a test sample
closest to centroid %1, %2 away</source>
        <translation>Teilvektor einer Testprobe
am nächsten an Zentroid %1, Abstand %2</translation>
    </message>
    <message>
        <source>centroid %1: never chosen by a test sample</source>
        <translation>Zentroid %1: von keiner Testprobe gewählt</translation>
    </message>
    <message>
        <source>centroid %1: chosen %2 times, %3 of all</source>
        <translation>Zentroid %1: %2-mal gewählt, %3 von allen</translation>
    </message>
    <message>
        <source>codebook %1: centroids are %2 off
root mean square distance of sub-vectors to their centroids, relative to the sub-vectors</source>
        <translation>Codebook %1: Zentroide liegen %2 daneben
quadratisches Mittel der Abstände der Teilvektoren zu ihren Zentroiden, relativ zu den Teilvektoren</translation>
    </message>
    <message>
        <source>centroid %1</source>
        <translation>Zentroid %1</translation>
    </message>
    <message>
        <source>chosen %1 times, %2</source>
        <translation>%1-mal gewählt, %2</translation>
    </message>
    <message>
        <source>codebook %1</source>
        <translation>Codebook %1</translation>
    </message>
    <message>
        <source>centroids are %1 off</source>
        <translation>Zentroide liegen %1 daneben</translation>
    </message>
</context>
<context>
    <name>pim::views::ColorScale</name>
    <message>
        <source>Colours from %1 to %2</source>
        <translation>Farben von %1 bis %2</translation>
    </message>
</context>
<context>
    <name>pim::views::CommandsView</name>
    <message>
        <source>Times in ticks of the memory&apos;s clock</source>
        <translation>Zeiten in Takten des Speichers</translation>
    </message>
    <message>
        <source>Figures of the whole run again (Esc)</source>
        <translation>Wieder die Zahlen des ganzen Laufs (Esc)</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>refresh, switch</source>
        <translation>Refresh, Wechsel</translation>
    </message>
    <message>
        <source>tick</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>ticks</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Commands over time</source>
        <translation>Befehle über die Zeit</translation>
    </message>
    <message>
        <source>Command the keys are on</source>
        <translation>Befehl, auf dem die Tasten stehen</translation>
    </message>
    <message>
        <source>No commands to show</source>
        <translation>Keine Befehle zu zeigen</translation>
    </message>
    <message>
        <source>Choose an operator that runs on PIM; its commands with their times appear here.</source>
        <translation>Wählen Sie einen Operator, der auf PIM läuft; hier erscheinen seine Befehle mit ihren Zeiten.</translation>
    </message>
    <message>
        <source>Operator whose commands are shown</source>
        <translation>Operator, dessen Befehle gezeigt werden</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Length of the run, device and controller</source>
        <translation>Länge des Laufs, Baustein und Controller</translation>
    </message>
    <message>
        <source>Previous refresh or mode switch (Shift+N)</source>
        <translation>Voriger Refresh oder Moduswechsel (Umschalt+N)</translation>
    </message>
    <message>
        <source>Next refresh or mode switch (N)</source>
        <translation>Nächster Refresh oder Moduswechsel (N)</translation>
    </message>
    <message>
        <source>Show all (F)</source>
        <translation>Alles zeigen (F)</translation>
    </message>
    <message>
        <source>refresh or switch</source>
        <translation>Refresh oder Wechsel</translation>
    </message>
    <message>
        <source>command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>Bus taken</source>
        <translation>Bus belegt</translation>
    </message>
    <message>
        <source>Ticks of its command bus</source>
        <translation>Takte seines Befehlsbusses</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of the time shown</source>
        <translation>An der gezeigten Zeit</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>Wartegrund</translation>
    </message>
    <message>
        <source>Rule of the device: the command before, the command that waits, the timing</source>
        <translation>Regel des Bausteins: der Befehl davor, der wartende Befehl, das Timing</translation>
    </message>
    <message>
        <source>Ticks</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>In which nothing was issued</source>
        <translation>In denen kein Befehl abging</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Male</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Ticks of one wait</source>
        <translation>Takte einer Wartezeit</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>Half of the waits are no longer</source>
        <translation>Die Hälfte der Wartezeiten ist nicht länger</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>95 % of the waits are no longer</source>
        <translation>95 % der Wartezeiten sind nicht länger</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>What the channel is for, told from its commands</source>
        <translation>Wozu der Kanal dient, aus seinen Befehlen abgelesen</translation>
    </message>
    <message>
        <source>Stretches in this mode</source>
        <translation>Strecken in diesem Modus</translation>
    </message>
    <message>
        <source>Ticks of one stretch</source>
        <translation>Takte einer Strecke</translation>
    </message>
    <message>
        <source>Half of the stretches are no longer</source>
        <translation>Die Hälfte der Strecken ist nicht länger</translation>
    </message>
    <message>
        <source>95 % of the stretches are no longer</source>
        <translation>95 % der Strecken sind nicht länger</translation>
    </message>
    <message>
        <source>Issued in it</source>
        <translation>Darin abgesetzt</translation>
    </message>
    <message>
        <source>Bank</source>
        <translation>Bank</translation>
    </message>
    <message>
        <source>Number in the channel</source>
        <translation>Nummer im Kanal</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Opened</source>
        <translation>Geöffnet</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Accesses to a row an earlier access had been to</source>
        <translation>Zugriffe auf eine Zeile, auf der schon ein früherer Zugriff war</translation>
    </message>
    <message>
        <source>Misses</source>
        <translation>Fehlgriffe</translation>
    </message>
    <message>
        <source>First accesses after the bank was closed by a refresh or idle</source>
        <translation>Erste Zugriffe, nachdem ein Refresh oder Leerlauf die Bank geschlossen hat</translation>
    </message>
    <message>
        <source>Conflicts</source>
        <translation>Konflikte</translation>
    </message>
    <message>
        <source>First accesses after another row was open</source>
        <translation>Erste Zugriffe, nachdem eine andere Zeile offen war</translation>
    </message>
    <message>
        <source>Row open</source>
        <translation>Zeile offen</translation>
    </message>
    <message>
        <source>Ticks with a row open</source>
        <translation>Takte mit offener Zeile</translation>
    </message>
    <message>
        <source>Of the run</source>
        <translation>Am Lauf</translation>
    </message>
    <message>
        <source>Modes of the channel</source>
        <translation>Modi des Kanals</translation>
    </message>
    <message>
        <source>Commands by kind</source>
        <translation>Befehle nach Art</translation>
    </message>
    <message>
        <source>What was waited for</source>
        <translation>Worauf gewartet wurde</translation>
    </message>
    <message>
        <source>Banks of the channel</source>
        <translation>Bänke des Kanals</translation>
    </message>
    <message>
        <source>Share of time the command and data buses are taken, over the run</source>
        <translation>Anteil der Zeit, in der Befehls- und Datenbusse belegt sind, über den Lauf</translation>
    </message>
    <message>
        <source>taken, %</source>
        <translation>belegt, %</translation>
    </message>
    <message>
        <source>column commands</source>
        <translation>Spaltenbefehle</translation>
    </message>
    <message>
        <source>row commands</source>
        <translation>Zeilenbefehle</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Modes</source>
        <translation>Modi</translation>
    </message>
    <message>
        <source>Waits</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Banks</source>
        <translation>Bänke</translation>
    </message>
    <message>
        <source>Buses</source>
        <translation>Busse</translation>
    </message>
    <message>
        <source>Figures of the commands</source>
        <translation>Zahlen zu den Befehlen</translation>
    </message>
    <message>
        <source>What the figures are of</source>
        <translation>Wovon die Zahlen sind</translation>
    </message>
    <message>
        <source>%1 ticks (%2)</source>
        <translation>%1 Takte (%2)</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>first %1 commands only</source>
        <translation>nur die ersten %1 Befehle</translation>
    </message>
    <message>
        <source>%1 commands</source>
        <translation>%1 Befehle</translation>
    </message>
    <message>
        <source>refresh %1</source>
        <translation>Refresh %1</translation>
    </message>
    <message>
        <source>shown: %1 from %2</source>
        <translation>gezeigt: %1 ab %2</translation>
    </message>
    <message>
        <source>out of date</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; from %2</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; ab %2</translation>
    </message>
    <message>
        <source>&lt;b&gt;Whole run&lt;/b&gt;</source>
        <translation>&lt;b&gt;Ganzer Lauf&lt;/b&gt;</translation>
    </message>
    <message>
        <source> · %1 commands · waiting %2&lt;br&gt;Taken: column bus %3 · row bus %4 · data bus %5</source>
        <translation> · %1 Befehle · Warten %2&lt;br&gt;Belegt: Spaltenbus %3 · Zeilenbus %4 · Datenbus %5</translation>
    </message>
    <message>
        <source>time, ns</source>
        <translation>Zeit, ns</translation>
    </message>
    <message>
        <source>time, µs</source>
        <translation>Zeit, µs</translation>
    </message>
    <message>
        <source>time, ms</source>
        <translation>Zeit, ms</translation>
    </message>
    <message>
        <source>W S zoom · A D pan · F all · , . along a row · E banks · Shift+drag: figures of an area · ? all keys</source>
        <translation>W S Zoom · A D schieben · F alles · , . entlang einer Zeile · E Bänke · Umschalt+Ziehen: Zahlen eines Bereichs · ? alle Tasten</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>addresses</source>
        <translation>Adressen</translation>
    </message>
    <message>
        <source>by</source>
        <translation>von</translation>
    </message>
    <message>
        <source>row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>at</source>
        <translation>bei</translation>
    </message>
    <message>
        <source>waited</source>
        <translation>gewartet</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>1 of %1 equal channels</source>
        <translation>1 von %1 gleichen Kanälen</translation>
    </message>
    <message>
        <source>Timing the commands of %1</source>
        <translation>Die Befehle von %1 werden zeitlich eingeordnet</translation>
    </message>
    <message>
        <source>No commands yet</source>
        <translation>Noch keine Befehle</translation>
    </message>
    <message>
        <source>They are being timed.</source>
        <translation>Ihre Zeiten werden berechnet.</translation>
    </message>
</context>
<context>
    <name>pim::views::CompareView</name>
    <message>
        <source>rejected, never priced</source>
        <translation>abgelehnt, nie bewertet</translation>
    </message>
    <message>
        <source> &amp;nbsp;(as planned among its neighbours)</source>
        <translation> &amp;nbsp;(wie unter seinen Nachbarn geplant)</translation>
    </message>
    <message>
        <source>Keep as A</source>
        <translation>Als A behalten</translation>
    </message>
    <message>
        <source>Draft in Force</source>
        <translation>Geltender Entwurf</translation>
    </message>
    <message>
        <source>Swap</source>
        <translation>Tauschen</translation>
    </message>
    <message>
        <source>Two drafts compared</source>
        <translation>Zwei Entwürfe im Vergleich</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Draft %1</source>
        <translation>Entwurf %1</translation>
    </message>
    <message>
        <source>A is the draft in force again</source>
        <translation>A ist wieder der geltende Entwurf</translation>
    </message>
    <message>
        <source>Keep the draft that is B now as A; select another one to be B</source>
        <translation>Den Entwurf, der jetzt B ist, als A behalten; wählen Sie einen anderen als B</translation>
    </message>
    <message>
        <source>B becomes A, and A becomes the selected draft</source>
        <translation>Aus B wird A, und aus A wird der gewählte Entwurf</translation>
    </message>
    <message>
        <source>Whether the two can be compared</source>
        <translation>Ob die beiden vergleichbar sind</translation>
    </message>
    <message>
        <source>Differences of the two drafts</source>
        <translation>Unterschiede der beiden Entwürfe</translation>
    </message>
    <message>
        <source>Why B is slower or faster, and advice</source>
        <translation>Warum B langsamer oder schneller ist, und Rat</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>Nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Select an op that can run on PIM; then select a draft of it to be B.</source>
        <translation>Wählen Sie eine Op, die auf PIM laufen kann; dann einen Entwurf von ihr als B.</translation>
    </message>
    <message>
        <source>✗ not the same work</source>
        <translation>✗ nicht dieselbe Arbeit</translation>
    </message>
    <message>
        <source>These two cannot be compared: %1.</source>
        <translation>Diese beiden sind nicht vergleichbar: %1.</translation>
    </message>
    <message>
        <source>Press Draft in Force to compare within the selected op, or choose another A.</source>
        <translation>Drücken Sie „Geltender Entwurf“, um innerhalb der gewählten Op zu vergleichen, oder wählen Sie ein anderes A.</translation>
    </message>
    <message>
        <source>✓ same op and target: %1 on %2</source>
        <translation>✓ gleiche Op und gleiches Ziel: %1 auf %2</translation>
    </message>
    <message>
        <source>✓ same kernel and target: %1 and %2 on %3</source>
        <translation>✓ gleicher Kernel und gleiches Ziel: %1 und %2 auf %3</translation>
    </message>
    <message>
        <source>A and B are the same draft</source>
        <translation>A und B sind derselbe Entwurf</translation>
    </message>
    <message>
        <source>Select another draft in the table or the scatter to be B.</source>
        <translation>Wählen Sie einen anderen Entwurf in der Tabelle oder im Streudiagramm als B.</translation>
    </message>
    <message>
        <source>(simulated)</source>
        <translation>(simuliert)</translation>
    </message>
    <message>
        <source>&lt;i&gt;(predicted)&lt;/i&gt;</source>
        <translation>&lt;i&gt;(vorhergesagt)&lt;/i&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;One of the two is priced among its neighbours in the plan, the other alone.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Der eine ist unter seinen Nachbarn im Plan bewertet, der andere allein.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;A rejected draft was never priced: only its shape can be compared.&lt;/p&gt;</source>
        <translation>&lt;p&gt;Ein abgelehnter Entwurf wurde nie bewertet: Nur seine Form ist vergleichbar.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;About B&lt;/b&gt;&lt;/p&gt;&lt;ul&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;Zu B&lt;/b&gt;&lt;/p&gt;&lt;ul&gt;</translation>
    </message>
    <message>
        <source>&lt;a href=&quot;help:%1&quot;&gt;More&lt;/a&gt;</source>
        <translation>&lt;a href=&quot;help:%1&quot;&gt;Mehr&lt;/a&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;Rules left out: %1: %2. %3&lt;/p&gt;</source>
        <translation>&lt;p&gt;Ausgelassene Regeln: %1: %2. %3&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>pim::views::ComparisonPage</name>
    <message>
        <source>Swap A and B</source>
        <translation>A und B tauschen</translation>
    </message>
    <message>
        <source>Difference of every op</source>
        <translation>Unterschied jeder Op</translation>
    </message>
    <message>
        <source>Time of the runs by part</source>
        <translation>Zeit der Läufe nach Teilen</translation>
    </message>
    <message>
        <source>Summary of the comparison</source>
        <translation>Zusammenfassung des Vergleichs</translation>
    </message>
    <message>
        <source>Are the runs comparable</source>
        <translation>Sind die Läufe vergleichbar</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Bezug</translation>
    </message>
    <message>
        <source>The run the others are compared with</source>
        <translation>Der Lauf, mit dem die anderen verglichen werden</translation>
    </message>
    <message>
        <source>&amp;Baseline:</source>
        <translation>Be&amp;zug:</translation>
    </message>
    <message>
        <source>%1 more: see the bars and the table.</source>
        <translation>%1 weitere: siehe Balken und Tabelle.</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; (%2) against &lt;b&gt;%3&lt;/b&gt; (%4): &lt;b&gt;%5&lt;/b&gt;%6. %7&lt;br&gt;%8</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; (%2) gegen &lt;b&gt;%3&lt;/b&gt; (%4): &lt;b&gt;%5&lt;/b&gt;%6. %7&lt;br&gt;%8</translation>
    </message>
    <message>
        <source>Nothing that decides the outcome differs.</source>
        <translation>Nichts, was das Ergebnis bestimmt, ist verschieden.</translation>
    </message>
    <message>
        <source>Differs: %1.</source>
        <translation>Verschieden: %1.</translation>
    </message>
    <message>
        <source>≠ times of samples and times between samples</source>
        <translation>≠ Zeiten von Samples und Zeiten zwischen Samples</translation>
    </message>
    <message>
        <source>✓ same model and target</source>
        <translation>✓ gleiches Modell und Ziel</translation>
    </message>
    <message>
        <source>≠ same model, other target</source>
        <translation>≠ gleiches Modell, anderes Ziel</translation>
    </message>
    <message>
        <source>≠ other model or dimensions, same target</source>
        <translation>≠ anderes Modell oder andere Dimensionen, gleiches Ziel</translation>
    </message>
    <message>
        <source>≠ not the same model and target</source>
        <translation>≠ nicht dasselbe Modell und Ziel</translation>
    </message>
    <message>
        <source>%1 over %2</source>
        <translation>%1 gegenüber %2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
</context>
<context>
    <name>pim::views::CoreSentences</name>
    <message>
        <source>nothing was under way</source>
        <translation>nichts war im Gang</translation>
    </message>
    <message>
        <source>nothing is under way for %1 of the run</source>
        <translation>in %1 des Laufs ist nichts im Gang</translation>
    </message>
    <message>
        <source>nothing is under way for %1 of this stretch of the run</source>
        <translation>in %1 dieses Abschnitts des Laufs ist nichts im Gang</translation>
    </message>
    <message>
        <source>of the rest, %1</source>
        <translation>für den Rest ist %1</translation>
    </message>
    <message>
        <source>the time is set by %1: busy %2 of this stretch of the run, and on %3 of the longest chain of work</source>
        <translation>maßgebend für die Zeit: %1, %2 dieses Abschnitts des Laufs in Arbeit und auf %3 der längsten Kette von Arbeit</translation>
    </message>
    <message>
        <source>the time is set by %1: busy %2 of the run, and on %3 of the longest chain of work</source>
        <translation>maßgebend für die Zeit: %1, %2 des Laufs in Arbeit und auf %3 der längsten Kette von Arbeit</translation>
    </message>
    <message>
        <source>the time is set by %1: on %2 of the longest chain of work</source>
        <translation>maßgebend für die Zeit: %1, auf %2 der längsten Kette von Arbeit</translation>
    </message>
    <message>
        <source>the busiest of %1, %2, is busy %3 of this stretch of the run</source>
        <translation>von %1 hat %2 am meisten zu tun, %3 dieses Abschnitts des Laufs</translation>
    </message>
    <message>
        <source>the busiest of %1, %2, is busy %3 of the run</source>
        <translation>von %1 hat %2 am meisten zu tun, %3 des Laufs</translation>
    </message>
    <message>
        <source>the largest part of the chain is %1, %2</source>
        <translation>der größte Teil der Kette ist %1, %2</translation>
    </message>
    <message>
        <source>%1, set by %2</source>
        <translation>%1, maßgebend: %2</translation>
    </message>
    <message>
        <source>set by no ceiling, the lowest is %1</source>
        <translation>keine Decke ist maßgebend, die niedrigste: %1</translation>
    </message>
    <message>
        <source>set by %1</source>
        <translation>maßgebend: %1</translation>
    </message>
    <message>
        <source>%1, which need all of its time at full speed, %2</source>
        <translation>%1, bei voller Geschwindigkeit die ganze Zeit, %2</translation>
    </message>
    <message>
        <source>%1, which needs all of its time at full speed, %2</source>
        <translation>%1, bei voller Geschwindigkeit die ganze Zeit, %2</translation>
    </message>
    <message>
        <source>%1, which need %2 of its time at full speed, %3</source>
        <translation>%1, bei voller Geschwindigkeit %2 seiner Zeit, %3</translation>
    </message>
    <message>
        <source>%1, which needs %2 of its time at full speed, %3</source>
        <translation>%1, bei voller Geschwindigkeit %2 seiner Zeit, %3</translation>
    </message>
    <message>
        <source>%1, which need all of its time at full speed</source>
        <translation>%1, bei voller Geschwindigkeit die ganze Zeit</translation>
    </message>
    <message>
        <source>%1, which needs all of its time at full speed</source>
        <translation>%1, bei voller Geschwindigkeit die ganze Zeit</translation>
    </message>
    <message>
        <source>%1, which need %2 of its time at full speed</source>
        <translation>%1, bei voller Geschwindigkeit %2 seiner Zeit</translation>
    </message>
    <message>
        <source>%1, which needs %2 of its time at full speed</source>
        <translation>%1, bei voller Geschwindigkeit %2 seiner Zeit</translation>
    </message>
    <message>
        <source>asks for nothing that has a limit</source>
        <translation>braucht nichts, was eine Grenze hat</translation>
    </message>
    <message>
        <source>starting a kernel %1</source>
        <translation>Start eines Kernels %1</translation>
    </message>
    <message>
        <source>its kernels reach %1 of the arithmetic and %2 of the memory bandwidth</source>
        <translation>seine Kernel erreichen %1 der Rechenleistung und %2 der Speicherbandbreite</translation>
    </message>
    <message>
        <source>its time goes to %1</source>
        <translation>die Zeit geht an %1</translation>
    </message>
    <message>
        <source>%1 of %2 channels have work</source>
        <translation>%1 von %2 Kanälen haben Arbeit</translation>
    </message>
    <message>
        <source>waiting for %1</source>
        <translation>Warten auf %1</translation>
    </message>
    <message>
        <source>calls and transfers take %1 of its time</source>
        <translation>Aufrufe und Übertragungen brauchen %1 der Zeit</translation>
    </message>
    <message>
        <source>launching takes %1 of its time</source>
        <translation>das Starten braucht %1 der Zeit</translation>
    </message>
    <message>
        <source>the DPUs compute %1 of its time</source>
        <translation>die DPUs rechnen %1 der Zeit</translation>
    </message>
    <message>
        <source>%1 instructions an operation</source>
        <translation>%1 Befehle je Operation</translation>
    </message>
    <message>
        <source>%1 tasklets, %2 fill a pipeline</source>
        <translation>%1 Tasklets, %2 füllen eine Pipeline</translation>
    </message>
    <message>
        <source>%1 of %2 DPUs have work</source>
        <translation>%1 von %2 DPUs haben Arbeit</translation>
    </message>
    <message>
        <source>its weights are there %1 times, in %2 of %3 crossbars, which compute %4 of its time</source>
        <translation>die Gewichte sind %1-mal da, in %2 von %3 Crossbars, die %4 der Zeit rechnen</translation>
    </message>
    <message>
        <source>%1, which layers share, is busy %2 of the run</source>
        <translation>%1, von Schichten geteilt, arbeitet %2 des Laufs</translation>
    </message>
    <message>
        <source>writing weights %1 of its time</source>
        <translation>Schreiben der Gewichte %1 der Zeit</translation>
    </message>
    <message>
        <source>%1 of %2 arrays compute, each %3 of its time</source>
        <translation>%1 von %2 Arrays rechnen, jedes %3 der Zeit</translation>
    </message>
    <message>
        <source>%1: memory-bound, AI %2 FLOP/B</source>
        <translation>%1: vom Speicher begrenzt, AI %2 FLOP/B</translation>
    </message>
    <message>
        <source>%1: compute-bound, AI %2 FLOP/B</source>
        <translation>%1: vom Rechnen begrenzt, AI %2 FLOP/B</translation>
    </message>
    <message>
        <source>PIM: its cost on the host is unknown</source>
        <translation>PIM: die Kosten auf dem Host sind unbekannt</translation>
    </message>
    <message>
        <source>PIM %1 faster than %2</source>
        <translation>PIM %1 schneller als %2</translation>
    </message>
    <message>
        <source>PIM although %1 alone is %2 faster: on the host its operands would have to move as well</source>
        <translation>PIM, obwohl %1 allein %2 schneller ist: auf dem Host müssten auch die Operanden bewegt werden</translation>
    </message>
    <message>
        <source>host although PIM would take %1 instead of %2 here: the ops around it would lose more</source>
        <translation>Host, obwohl PIM hier %1 statt %2 bräuchte: die Ops ringsum verlören mehr</translation>
    </message>
    <message>
        <source>host although PIM alone is faster (%1 instead of %2): moving its operands would cost %3 more</source>
        <translation>Host, obwohl PIM allein schneller ist (%1 statt %2): die Operanden zu bewegen kostete %3 mehr</translation>
    </message>
    <message>
        <source>host: nothing to gain on PIM</source>
        <translation>Host: auf PIM ist nichts zu gewinnen</translation>
    </message>
    <message>
        <source>host: PIM would be %1 slower</source>
        <translation>Host: PIM wäre %1 langsamer</translation>
    </message>
    <message>
        <source>host: a view, no data moves</source>
        <translation>Host: eine Sicht, keine Daten werden bewegt</translation>
    </message>
    <message>
        <source>host: appends to a cache in place, only the new part moves</source>
        <translation>Host: hängt an einen Cache an, nur der neue Teil wird bewegt</translation>
    </message>
    <message>
        <source>host: PIM is full: with it, resident tensors would need %1 of a core, which has %2</source>
        <translation>Host: PIM ist voll: mit dieser Op bräuchten dauerhafte Tensoren %1 eines Kerns, der %2 hat</translation>
    </message>
    <message>
        <source>other ops gain more for a byte</source>
        <translation>andere Ops gewinnen mehr je Byte</translation>
    </message>
    <message>
        <source>host: %1</source>
        <translation>Host: %1</translation>
    </message>
    <message>
        <source>host by your override for the whole network</source>
        <translation>Host durch Ihre Vorgabe für das ganze Netz</translation>
    </message>
    <message>
        <source>PIM by your override for the whole network</source>
        <translation>PIM durch Ihre Vorgabe für das ganze Netz</translation>
    </message>
    <message>
        <source>host by your override</source>
        <translation>Host durch Ihre Vorgabe</translation>
    </message>
    <message>
        <source>PIM by your override</source>
        <translation>PIM durch Ihre Vorgabe</translation>
    </message>
    <message>
        <source>PIM could not run it: %1</source>
        <translation>PIM könnte sie nicht ausführen: %1</translation>
    </message>
    <message>
        <source>PIM is %1 faster than %2</source>
        <translation>PIM ist %1 schneller als %2</translation>
    </message>
    <message>
        <source>PIM is %1 slower than %2</source>
        <translation>PIM ist %1 langsamer als %2</translation>
    </message>
    <message>
        <source>takes the result of %1 where it lies, which saves their chain %2</source>
        <translation>nimmt das Ergebnis von %1, wo es liegt, was ihrer Kette %2 spart</translation>
    </message>
    <message>
        <source>the bus, which all share, is busy %1 of the run</source>
        <translation>der Bus, von allen geteilt, arbeitet %1 des Laufs</translation>
    </message>
    <message>
        <source>%1: waits for data, AI %2 FLOP/B</source>
        <translation>%1: wartet auf Daten, AI %2 FLOP/B</translation>
    </message>
    <message>
        <source>%1, cut into %2 pieces</source>
        <translation>%1, in %2 Stücke geteilt</translation>
    </message>
    <message>
        <source>%1 compute arrays and %2 in memory mode of %3 in %4</source>
        <translation>%1 Rechen-Arrays und %2 im Speichermodus von %3 in %4</translation>
    </message>
    <message>
        <source>%1 compute array and %2 in memory mode of %3 in %4</source>
        <translation>%1 Rechen-Array und %2 im Speichermodus von %3 in %4</translation>
    </message>
    <message>
        <source>%1 compute arrays of %2 in %3</source>
        <translation>%1 Rechen-Arrays von %2 in %3</translation>
    </message>
    <message>
        <source>%1 compute array of %2 in %3</source>
        <translation>%1 Rechen-Array von %2 in %3</translation>
    </message>
    <message>
        <source>segments %1 to %2</source>
        <translation>den Segmenten %1 bis %2</translation>
    </message>
    <message>
        <source>segment %1</source>
        <translation>Segment %1</translation>
    </message>
    <message>
        <source>vector unit, while the arrays work on the next rows</source>
        <translation>Vektoreinheit, während die Arrays an den nächsten Zeilen arbeiten</translation>
    </message>
    <message>
        <source>its share of their segments</source>
        <translation>ihr Anteil an deren Segmenten</translation>
    </message>
    <message>
        <source>counted by simulation only</source>
        <translation>nur von der Simulation gezählt</translation>
    </message>
    <message>
        <source>%1 of %2 in %3, %4 each, arrays busy %5, unfolded %6</source>
        <translation>%1 aus %2 in %3, je %4, Arrays arbeiten %5, entfaltet %6</translation>
    </message>
    <message>
        <source>done with %1</source>
        <translation>zusammen mit %1</translation>
    </message>
    <message>
        <source>vector units of the cores that have its input</source>
        <translation>Vektoreinheiten der Kerne, die die Eingabe haben</translation>
    </message>
    <message>
        <source>the host writes the result of %1 that way</source>
        <translation>der Host schreibt das Ergebnis von %1 so</translation>
    </message>
    <message>
        <source>%1 in %2 phases</source>
        <translation>%1 in %2 Phasen</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 Replikate</translation>
    </message>
    <message>
        <source>%1 replica</source>
        <translation>%1 Replikat</translation>
    </message>
    <message>
        <source>%1 arrays</source>
        <translation>%1 Arrays</translation>
    </message>
    <message>
        <source>%1 array</source>
        <translation>%1 Array</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 Kerne</translation>
    </message>
    <message>
        <source>%1 core</source>
        <translation>%1 Kern</translation>
    </message>
    <message>
        <source>%1 windows</source>
        <translation>%1 Fenster</translation>
    </message>
    <message>
        <source>%1 window</source>
        <translation>%1 Fenster</translation>
    </message>
    <message>
        <source>%1 products</source>
        <translation>%1 Produkte</translation>
    </message>
    <message>
        <source>%1 product</source>
        <translation>%1 Produkt</translation>
    </message>
    <message>
        <source>the host and its memory</source>
        <translation>Host und sein Speicher</translation>
    </message>
    <message>
        <source>fastest of %1 simulated, ranked number %2 before</source>
        <translation>schnellster von %1 simulierten, vorher an Stelle %2</translation>
    </message>
    <message>
        <source>fastest of %1 simulated</source>
        <translation>schnellster von %1 simulierten</translation>
    </message>
    <message>
        <source>at most %1 from the optimum</source>
        <translation>höchstens %1 vom Optimum entfernt</translation>
    </message>
    <message>
        <source>from the project&apos;s table</source>
        <translation>aus der Tabelle des Projekts</translation>
    </message>
    <message>
        <source>median %1, worst %2 over %3 simulated ops and drafts</source>
        <translation>im Median %1, höchstens %2 bei %3 simulierten Ops und Entwürfen</translation>
    </message>
    <message>
        <source>median %1, worst %2 over %3 simulated ops</source>
        <translation>im Median %1, höchstens %2 bei %3 simulierten Ops</translation>
    </message>
    <message>
        <source>median %1, worst %2 over %3 simulated op</source>
        <translation>im Median %1, höchstens %2 bei %3 simulierten Op</translation>
    </message>
    <message>
        <source>median %1, worst %2 over %3 simulated segments</source>
        <translation>im Median %1, höchstens %2 bei %3 simulierten Segmenten</translation>
    </message>
    <message>
        <source>median %1, worst %2 over %3 simulated segment</source>
        <translation>im Median %1, höchstens %2 bei %3 simulierten Segment</translation>
    </message>
    <message>
        <source>loaded once, before the network runs</source>
        <translation>einmal geladen, bevor das Netz läuft</translation>
    </message>
    <message>
        <source>moved in the kernel</source>
        <translation>im Kernel bewegt</translation>
    </message>
    <message>
        <source>all that PIM can run and has room for</source>
        <translation>alles, was PIM kann und wofür dort Platz ist</translation>
    </message>
    <message>
        <source>%1 on PIM</source>
        <translation>%1 auf PIM</translation>
    </message>
    <message>
        <source>%1, placed by you</source>
        <translation>%1, von Ihnen platziert</translation>
    </message>
    <message>
        <source>%1 + %2 of transfers</source>
        <translation>%1 + %2 für Übertragungen</translation>
    </message>
    <message>
        <source>%1 cannot</source>
        <translation>%1 kann es nicht</translation>
    </message>
    <message>
        <source>the operator %1 is not known in this form (%2 times): it runs on the host at unknown cost</source>
        <translation>der Operator %1 ist in dieser Form nicht bekannt (%2-mal): Er läuft zu unbekannten Kosten auf dem Host</translation>
    </message>
    <message>
        <source>the operator %1 is not known in this form: it runs on the host at unknown cost</source>
        <translation>der Operator %1 ist in dieser Form nicht bekannt: Er läuft zu unbekannten Kosten auf dem Host</translation>
    </message>
    <message>
        <source>the operator %1 is not known (%2 times): it runs on the host at unknown cost</source>
        <translation>der Operator %1 ist nicht bekannt (%2-mal): Er läuft zu unbekannten Kosten auf dem Host</translation>
    </message>
    <message>
        <source>the operator %1 is not known: it runs on the host at unknown cost</source>
        <translation>der Operator %1 ist nicht bekannt: Er läuft zu unbekannten Kosten auf dem Host</translation>
    </message>
    <message>
        <source>%1 has a body that is decided at run time (%2 times): it runs on the host at unknown cost</source>
        <translation>%1 hat einen Rumpf, der erst zur Laufzeit feststeht (%2-mal): Er läuft zu unbekannten Kosten auf dem Host</translation>
    </message>
    <message>
        <source>%1 has a body that is decided at run time: it runs on the host at unknown cost</source>
        <translation>%1 hat einen Rumpf, der erst zur Laufzeit feststeht: Er läuft zu unbekannten Kosten auf dem Host</translation>
    </message>
    <message>
        <source>the output shapes of %1 operators depend on data or on operators without a known shape</source>
        <translation>die Ausgabeformen von %1 Operatoren hängen von Daten ab oder von Operatoren ohne bekannte Form</translation>
    </message>
    <message>
        <source>the output shapes of %1 operator depend on data or on operators without a known shape</source>
        <translation>die Ausgabeform von %1 Operator hängt von Daten ab oder von Operatoren ohne bekannte Form</translation>
    </message>
    <message>
        <source>the values of %1 weight tensors (%2) are not there: placement and timing work, numeric checks take random ones</source>
        <translation>die Werte von %1 Gewichtstensoren (%2) fehlen: Platzierung und Zeiten gehen trotzdem, numerische Prüfungen nehmen zufällige</translation>
    </message>
    <message>
        <source>the values of %1 weight tensor (%2) are not there: placement and timing work, numeric checks take random ones</source>
        <translation>die Werte von %1 Gewichtstensor (%2) fehlen: Platzierung und Zeiten gehen trotzdem, numerische Prüfungen nehmen zufällige</translation>
    </message>
    <message>
        <source>put the weights file beside the model and open it again</source>
        <translation>Legen Sie die Datei der Gewichte neben das Modell und öffnen Sie es erneut</translation>
    </message>
    <message>
        <source>the file names no outputs</source>
        <translation>die Datei nennt keine Ausgaben</translation>
    </message>
    <message>
        <source>every result nobody uses is taken as one</source>
        <translation>jedes Ergebnis, das niemand benutzt, gilt als eine</translation>
    </message>
    <message>
        <source>export the model with its outputs</source>
        <translation>Exportieren Sie das Modell mit seinen Ausgaben</translation>
    </message>
    <message>
        <source>the shape of this graph input is not in the file</source>
        <translation>die Form dieser Eingabe des Graphen steht nicht in der Datei</translation>
    </message>
    <message>
        <source>export the model with input shapes</source>
        <translation>Exportieren Sie das Modell mit den Formen der Eingaben</translation>
    </message>
    <message>
        <source>a later node has the same name</source>
        <translation>ein späterer Knoten hat denselben Namen</translation>
    </message>
    <message>
        <source>it is called %1 here</source>
        <translation>er heißt hier %1</translation>
    </message>
    <message>
        <source>%1 nodes have the name of an earlier one</source>
        <translation>%1 Knoten haben den Namen eines früheren</translation>
    </message>
    <message>
        <source>the first is called %1 here</source>
        <translation>der erste heißt hier %1</translation>
    </message>
    <message>
        <source>open dimensions of size 1 are too small for this model</source>
        <translation>offene Dimensionen der Größe 1 sind für dieses Modell zu klein</translation>
    </message>
    <message>
        <source>the file names no ONNX operator set</source>
        <translation>die Datei nennt keine Version der ONNX-Operatoren</translation>
    </message>
    <message>
        <source>%1 is assumed</source>
        <translation>angenommen wird %1</translation>
    </message>
    <message>
        <source>bind the dimensions to the sizes you work with</source>
        <translation>Setzen Sie für die Dimensionen die Größen ein, mit denen Sie arbeiten</translation>
    </message>
    <message>
        <source>operator set %1 is newer than %2, the newest tested</source>
        <translation>die Operatorversion %1 ist neuer als %2, die neueste geprüfte</translation>
    </message>
    <message>
        <source>operators whose meaning changed since may get no shape</source>
        <translation>Operatoren, deren Bedeutung sich seitdem geändert hat, bekommen womöglich keine Form</translation>
    </message>
    <message>
        <source>export with opset_version=%1 if shapes are missing</source>
        <translation>Exportieren Sie mit opset_version=%1, falls Formen fehlen</translation>
    </message>
    <message>
        <source>operator set %1 is older than 7</source>
        <translation>die Operatorversion %1 ist älter als 7</translation>
    </message>
    <message>
        <source>its broadcasting rules differ</source>
        <translation>ihre Regeln für Broadcasting sind andere</translation>
    </message>
    <message>
        <source>convert the model to operator set 13 or newer if shapes are missing</source>
        <translation>Wandeln Sie das Modell in die Operatorversion 13 oder eine neuere um, falls Formen fehlen</translation>
    </message>
    <message>
        <source>%1 runs on the host at unknown cost, counted as 0</source>
        <translation>%1 läuft zu unbekannten Kosten auf dem Host, gezählt als 0</translation>
    </message>
    <message>
        <source>%1 ops lie outside what predictor %2 has learned (%3)</source>
        <translation>%1 Ops liegen außerhalb dessen, was der Prädiktor %2 gelernt hat (%3)</translation>
    </message>
    <message>
        <source>%1 op lies outside what predictor %2 has learned (%3)</source>
        <translation>%1 Op liegt außerhalb dessen, was der Prädiktor %2 gelernt hat (%3)</translation>
    </message>
    <message>
        <source>train one that covers them: %1</source>
        <translation>Trainieren Sie einen, der sie abdeckt: %1</translation>
    </message>
    <message>
        <source>%1 ops stay on the host because their tensors do not fit the %2 of PIM memory</source>
        <translation>%1 Ops bleiben auf dem Host, weil ihre Tensoren nicht in die %2 des PIM-Speichers passen</translation>
    </message>
    <message>
        <source>choose a larger target, or stream the weights of some ops</source>
        <translation>Wählen Sie ein größeres Ziel, oder lassen Sie die Gewichte einiger Ops durchlaufen</translation>
    </message>
    <message>
        <source>its units compute in %1</source>
        <translation>seine Einheiten rechnen in %1</translation>
    </message>
    <message>
        <source>all tensors are taken in %1 instead of %2</source>
        <translation>alle Tensoren gelten als %1 statt %2</translation>
    </message>
    <message>
        <source>it was trained with other code passes, so drafts are ranked by their price</source>
        <translation>er wurde mit anderen Code-Durchläufen trainiert, deshalb werden Entwürfe nach ihrem Preis gereiht</translation>
    </message>
    <message>
        <source>%1 of %2 best drafts it knows are damaged and not used</source>
        <translation>%1 von %2 besten Entwürfen, die es kennt, sind beschädigt und werden nicht benutzt</translation>
    </message>
    <message>
        <source>they are looked for again</source>
        <translation>sie werden neu gesucht</translation>
    </message>
    <message>
        <source>`pimc drafts PROJECT --clear` forgets all</source>
        <translation>`pimc drafts PROJECT --clear` vergisst alle</translation>
    </message>
    <message>
        <source>depends on constants alone, so it is computed once before the network runs</source>
        <translation>hängt nur von Konstanten ab, wird also einmal berechnet, bevor das Netz läuft</translation>
    </message>
    <message>
        <source>runs on the host: %1</source>
        <translation>läuft auf dem Host: %1</translation>
    </message>
    <message>
        <source>no core reads what it joins, and the host reads the parts where they lie</source>
        <translation>kein Kern liest, was er verbindet, und der Host liest die Teile, wo sie liegen</translation>
    </message>
    <message>
        <source>%1 layers begin a stage of their own: local memories have no room for rows they would take from the layers before within a round</source>
        <translation>%1 Schichten beginnen eine eigene Stufe: In den lokalen Speichern ist kein Platz für die Zeilen, die sie in einer Runde von den Schichten davor bekämen</translation>
    </message>
    <message>
        <source>%1 layer begins a stage of its own: local memories have no room for rows they would take from the layers before within a round</source>
        <translation>%1 Schicht beginnt eine eigene Stufe: In den lokalen Speichern ist kein Platz für die Zeilen, die sie in einer Runde von den Schichten davor bekäme</translation>
    </message>
    <message>
        <source>the sizes of what it takes or makes are not known</source>
        <translation>die Größen dessen, was er nimmt oder macht, sind nicht bekannt</translation>
    </message>
    <message>
        <source>use cores with more local memory, or fewer layers per stage</source>
        <translation>Nehmen Sie Kerne mit mehr lokalem Speicher oder weniger Schichten je Stufe</translation>
    </message>
    <message>
        <source>has no effect: nothing on this chip reads it</source>
        <translation>hat keine Wirkung: Nichts auf diesem Chip liest es</translation>
    </message>
    <message>
        <source>its speed in i8 is not known</source>
        <translation>seine Geschwindigkeit in i8 ist nicht bekannt</translation>
    </message>
    <message>
        <source>ops on the host are taken in %1</source>
        <translation>Ops auf dem Host gelten als %1</translation>
    </message>
    <message>
        <source>the network has no matrix product whose shape is known, so there is nothing for the arrays to do</source>
        <translation>das Netz hat kein Matrixprodukt mit bekannter Form, die Arrays haben also nichts zu tun</translation>
    </message>
    <message>
        <source>all of it runs on the host</source>
        <translation>alles läuft auf dem Host</translation>
    </message>
    <message>
        <source>bind its dimensions</source>
        <translation>Legen Sie seine Dimensionen fest</translation>
    </message>
    <message>
        <source>a tensor of an operator that is not known needs its shape in the model, as value_info</source>
        <translation>ein Tensor eines unbekannten Operators braucht seine Form im Modell, als value_info</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has the shape %2, its sizes must be known</source>
        <translation>&quot;%1&quot; hat die Form %2, seine Größen müssen bekannt sein</translation>
    </message>
    <message>
        <source>it works on all steps of a cell at once, and cores take one map</source>
        <translation>er arbeitet auf allen Schritten einer Zelle zugleich, und Kerne nehmen nur eine Karte</translation>
    </message>
</context>
<context>
    <name>pim::views::CoreWords</name>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>resident</source>
        <translation>dauerhaft</translation>
    </message>
    <message>
        <source>streamed</source>
        <translation>durchlaufend</translation>
    </message>
    <message>
        <source>produced</source>
        <translation>erzeugt</translation>
    </message>
    <message>
        <source>in place</source>
        <translation>an Ort und Stelle</translation>
    </message>
    <message>
        <source>redundant</source>
        <translation>redundant</translation>
    </message>
    <message>
        <source>simd multiple</source>
        <translation>SIMD-Vielfaches</translation>
    </message>
    <message>
        <source>worst core</source>
        <translation>schlechtester Kern</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>Kapazität</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>Placement of all ops</source>
        <translation>Platzierung aller Ops</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>Layers per stage</source>
        <translation>Schichten je Stufe</translation>
    </message>
    <message>
        <source>Tiles from rows</source>
        <translation>Tiles ab Zeilen</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>Unfolding</source>
        <translation>Entfaltung</translation>
    </message>
    <message>
        <source>Most arrays of a piece</source>
        <translation>Meiste Arrays je Stück</translation>
    </message>
    <message>
        <source>Compute arrays</source>
        <translation>Rechen-Arrays</translation>
    </message>
    <message>
        <source>Memory arrays</source>
        <translation>Speicher-Arrays</translation>
    </message>
    <message>
        <source>Segment border</source>
        <translation>Segmentgrenze</translation>
    </message>
    <message>
        <source>Mapping of look-ups</source>
        <translation>Abbildung der Lookups</translation>
    </message>
    <message>
        <source>Fold constants</source>
        <translation>Konstanten falten</translation>
    </message>
    <message>
        <source>Remove identity</source>
        <translation>Identität entfernen</translation>
    </message>
    <message>
        <source>Fold batch norm</source>
        <translation>Batch-Norm einfalten</translation>
    </message>
    <message>
        <source>Fuse layer norm</source>
        <translation>Layer-Norm verschmelzen</translation>
    </message>
    <message>
        <source>Fuse rms norm</source>
        <translation>RMS-Norm verschmelzen</translation>
    </message>
    <message>
        <source>Fuse gelu</source>
        <translation>GELU verschmelzen</translation>
    </message>
    <message>
        <source>Fuse silu</source>
        <translation>SiLU verschmelzen</translation>
    </message>
    <message>
        <source>Fuse attention</source>
        <translation>Attention verschmelzen</translation>
    </message>
    <message>
        <source>Look up tables</source>
        <translation>Lookup-Tabellen</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Mapping</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>host memory</source>
        <translation>Host-Speicher</translation>
    </message>
    <message>
        <source>host link</source>
        <translation>Host-Verbindung</translation>
    </message>
    <message>
        <source>PIM channels</source>
        <translation>PIM-Kanäle</translation>
    </message>
    <message>
        <source>arrays</source>
        <translation>Arrays</translation>
    </message>
    <message>
        <source>buses</source>
        <translation>Busse</translation>
    </message>
    <message>
        <source>digital units</source>
        <translation>Digitaleinheiten</translation>
    </message>
    <message>
        <source>vector unit</source>
        <translation>Vektoreinheit</translation>
    </message>
    <message>
        <source>vector units</source>
        <translation>Vektoreinheiten</translation>
    </message>
    <message>
        <source>main memory bus</source>
        <translation>Hauptspeicherbus</translation>
    </message>
    <message>
        <source>global memory</source>
        <translation>globaler Speicher</translation>
    </message>
    <message>
        <source>local memories</source>
        <translation>lokale Speicher</translation>
    </message>
    <message>
        <source>on-chip network</source>
        <translation>On-Chip-Netz</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>link</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>machines</source>
        <translation>Maschinen</translation>
    </message>
    <message>
        <source>tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>banks</source>
        <translation>Bänke</translation>
    </message>
    <message>
        <source>bank</source>
        <translation>Bank</translation>
    </message>
    <message>
        <source>array</source>
        <translation>Array</translation>
    </message>
    <message>
        <source>tile</source>
        <translation>Tile</translation>
    </message>
    <message>
        <source>core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>refresh</source>
        <translation>Refresh</translation>
    </message>
    <message>
        <source>row commands</source>
        <translation>Zeilenbefehle</translation>
    </message>
    <message>
        <source>column commands</source>
        <translation>Spaltenbefehle</translation>
    </message>
    <message>
        <source>data bus</source>
        <translation>Datenbus</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>vector</source>
        <translation>Vektorarbeit</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>merge</source>
        <translation>Zusammenführen</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>memory in</source>
        <translation>Speicher lesen</translation>
    </message>
    <message>
        <source>memory out</source>
        <translation>Speicher schreiben</translation>
    </message>
    <message>
        <source>input to PIM</source>
        <translation>Eingang zu PIM</translation>
    </message>
    <message>
        <source>op on the host</source>
        <translation>Op auf dem Host</translation>
    </message>
    <message>
        <source>operands from host memory</source>
        <translation>Operanden aus dem Host-Speicher</translation>
    </message>
    <message>
        <source>results from PIM</source>
        <translation>Ergebnisse aus PIM</translation>
    </message>
    <message>
        <source>results to host memory</source>
        <translation>Ergebnisse in den Host-Speicher</translation>
    </message>
    <message>
        <source>PIM, predicted only</source>
        <translation>PIM, nur vorhergesagt</translation>
    </message>
    <message>
        <source>mode switch</source>
        <translation>Moduswechsel</translation>
    </message>
    <message>
        <source>switch to compute</source>
        <translation>Wechsel zu Rechnen</translation>
    </message>
    <message>
        <source>switch to memory</source>
        <translation>Wechsel zu Speicher</translation>
    </message>
    <message>
        <source>rewrite weights</source>
        <translation>Gewichte neu schreiben</translation>
    </message>
    <message>
        <source>write tile</source>
        <translation>Tile schreiben</translation>
    </message>
    <message>
        <source>rows in</source>
        <translation>Zeilen hinein</translation>
    </message>
    <message>
        <source>results out</source>
        <translation>Ergebnisse heraus</translation>
    </message>
    <message>
        <source>host access</source>
        <translation>Host-Zugriff</translation>
    </message>
    <message>
        <source>PIM, one bank</source>
        <translation>PIM, eine Bank</translation>
    </message>
    <message>
        <source>PIM, all banks</source>
        <translation>PIM, alle Bänke</translation>
    </message>
    <message>
        <source>row open</source>
        <translation>Zeile offen</translation>
    </message>
    <message>
        <source>refreshing</source>
        <translation>Refresh</translation>
    </message>
    <message>
        <source>array bytes</source>
        <translation>Array-Bytes</translation>
    </message>
    <message>
        <source>arrays busy share</source>
        <translation>Arbeitsanteil der Arrays</translation>
    </message>
    <message>
        <source>arrays used share</source>
        <translation>Anteil belegter Arrays</translation>
    </message>
    <message>
        <source>cap</source>
        <translation>Obergrenze</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>first batch</source>
        <translation>erster Batch</translation>
    </message>
    <message>
        <source>instructions</source>
        <translation>Instruktionen</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>load bytes</source>
        <translation>geladene Bytes</translation>
    </message>
    <message>
        <source>store bytes</source>
        <translation>gespeicherte Bytes</translation>
    </message>
    <message>
        <source>network bytes</source>
        <translation>Bytes im Netz</translation>
    </message>
    <message>
        <source>main memory bytes</source>
        <translation>Bytes im Hauptspeicher</translation>
    </message>
    <message>
        <source>memory share</source>
        <translation>Speicheranteil</translation>
    </message>
    <message>
        <source>period</source>
        <translation>Periode</translation>
    </message>
    <message>
        <source>replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>Samples pro Sekunde</translation>
    </message>
    <message>
        <source>segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>switched arrays</source>
        <translation>umgeschaltete Arrays</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>Pseudo channel</source>
        <translation>Pseudokanal</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Bank group</source>
        <translation>Bankgruppe</translation>
    </message>
    <message>
        <source>Bank</source>
        <translation>Bank</translation>
    </message>
    <message>
        <source>All runs, newest first</source>
        <translation>Alle Läufe, neueste zuerst</translation>
    </message>
    <message>
        <source>The fastest run of every model and target</source>
        <translation>Der schnellste Lauf für jedes Modell und Ziel</translation>
    </message>
    <message>
        <source>Where the time goes, run by run</source>
        <translation>Wo die Zeit bleibt, Lauf für Lauf</translation>
    </message>
    <message>
        <source>The slowest ops of the newest run</source>
        <translation>Die langsamsten Ops des neuesten Laufs</translation>
    </message>
    <message>
        <source>What share of the newest run is rearrangement</source>
        <translation>Welcher Anteil des neuesten Laufs Umordnung ist</translation>
    </message>
    <message>
        <source>Ops whose placement is not the same in all runs</source>
        <translation>Ops, deren Platzierung nicht in allen Läufen gleich ist</translation>
    </message>
    <message>
        <source>How far each op is from its best run</source>
        <translation>Wie weit jede Op von ihrem besten Lauf entfernt ist</translation>
    </message>
    <message>
        <source>The largest tensors that stay in memory</source>
        <translation>Die größten Tensoren, die im Speicher bleiben</translation>
    </message>
    <message>
        <source>The best drafts of every op that was explored</source>
        <translation>Die besten Entwürfe jeder untersuchten Op</translation>
    </message>
    <message>
        <source>The best drafts that the project knows from simulation</source>
        <translation>Die besten Entwürfe, die das Projekt aus Simulation kennt</translation>
    </message>
    <message>
        <source>Decisions in force, by variant</source>
        <translation>Geltende Entscheidungen, nach Variante</translation>
    </message>
    <message>
        <source>Time spent compiling</source>
        <translation>Zeit fürs Übersetzen</translation>
    </message>
    <message>
        <source>Was anything faster than the host alone?</source>
        <translation>War etwas schneller als der Host allein?</translation>
    </message>
    <message>
        <source>Residency of %1</source>
        <translation>Verbleib von %1</translation>
    </message>
    <message>
        <source>lower</source>
        <extracomment>Not shown. &quot;lower&quot; where a title is written in lower case amid a sentence, &quot;kept&quot; where nouns keep their capital.</extracomment>
        <translation>kept</translation>
    </message>
    <message>
        <source>segment</source>
        <translation>Segment</translation>
    </message>
    <message>
        <source>phase</source>
        <translation>Phase</translation>
    </message>
    <message>
        <source>phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>products</source>
        <translation>Produkte</translation>
    </message>
    <message>
        <source>chip</source>
        <translation>Chip</translation>
    </message>
    <message>
        <source>bus</source>
        <translation>Bus</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>Kopien</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>local</source>
        <translation>lokal</translation>
    </message>
    <message>
        <source>DPUs</source>
        <translation>DPUs</translation>
    </message>
    <message>
        <source>Tasklets of a DPU</source>
        <translation>Tasklets einer DPU</translation>
    </message>
    <message>
        <source>Loop order</source>
        <translation>Schleifenordnung</translation>
    </message>
    <message>
        <source>Vectors in WRAM</source>
        <translation>Vektoren im WRAM</translation>
    </message>
    <message>
        <source>Sums in WRAM, rows</source>
        <translation>Summen im WRAM, Zeilen</translation>
    </message>
    <message>
        <source>Elements at a time</source>
        <translation>Elemente auf einmal</translation>
    </message>
    <message>
        <source>DMA, bytes</source>
        <translation>DMA, Byte</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>residency</source>
        <translation>Verbleib</translation>
    </message>
    <message>
        <source>unfolding</source>
        <translation>Entfaltung</translation>
    </message>
    <message>
        <source>strategy</source>
        <translation>Strategie</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>keine Änderung</translation>
    </message>
    <message>
        <source>another draft of the same time</source>
        <translation>anderer Entwurf mit gleicher Zeit</translation>
    </message>
    <message>
        <source>tasklets</source>
        <translation>Tasklets</translation>
    </message>
    <message>
        <source>host arithmetic</source>
        <translation>Host-Arithmetik</translation>
    </message>
    <message>
        <source>host overheads</source>
        <translation>Host-Grundkosten</translation>
    </message>
    <message>
        <source>PIM clock</source>
        <translation>PIM-Takt</translation>
    </message>
    <message>
        <source>DPU clock</source>
        <translation>DPU-Takt</translation>
    </message>
    <message>
        <source>opening rows</source>
        <translation>Öffnen von Zeilen</translation>
    </message>
    <message>
        <source>MRAM DMA</source>
        <translation>MRAM-DMA</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>Übertragungen</translation>
    </message>
    <message>
        <source>calls and launches</source>
        <translation>Aufrufe und Starts</translation>
    </message>
    <message>
        <source>port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>words in</source>
        <translation>Wörter hinein</translation>
    </message>
    <message>
        <source>words out</source>
        <translation>Wörter heraus</translation>
    </message>
    <message>
        <source>sums of the host</source>
        <translation>Summen des Hosts</translation>
    </message>
    <message>
        <source>rows and columns of a tile</source>
        <translation>Zeilen und Spalten eines Tiles</translation>
    </message>
    <message>
        <source>the busiest tile</source>
        <translation>das am meisten belegte Tile</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>all arrays compute (CIM-MLC-like)</source>
        <translation>Arrays, die alle rechnen (wie CIM-MLC)</translation>
    </message>
    <message>
        <source>all arrays compute, greedy segments (PUMA-like)</source>
        <translation>Arrays, die alle rechnen, mit gierig gewählten Segmenten (wie PUMA)</translation>
    </message>
    <message>
        <source>all arrays compute, one operator at a time (OCC-like)</source>
        <translation>Arrays, die alle rechnen, ein Operator nach dem anderen (wie OCC)</translation>
    </message>
</context>
<context>
    <name>pim::views::CrossbarFigures</name>
    <message>
        <source>C</source>
        <translation>R</translation>
    </message>
    <message>
        <source>computes</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>holds weights of this op</source>
        <translation>hält Gewichte dieser Op</translation>
    </message>
    <message>
        <source>Select an op to see its arrays</source>
        <translation>Wählen Sie eine Op, um ihre Arrays zu sehen</translation>
    </message>
    <message>
        <source>No array holds weights of the selected op: it has none, or the host computes it</source>
        <translation>Kein Array hält Gewichte der gewählten Op: Sie hat keine, oder der Host berechnet sie</translation>
    </message>
    <message>
        <source>Arrays of the op</source>
        <translation>Arrays der Op</translation>
    </message>
    <message>
        <source>what each array does for the selected op</source>
        <translation>was jedes Array für die gewählte Op tut</translation>
    </message>
    <message>
        <source>Time computing</source>
        <translation>Rechenzeit</translation>
    </message>
    <message>
        <source>time each array computes in one run of the network, predicted</source>
        <translation>Zeit, die jedes Array in einem Lauf des Netzes rechnet, vorhergesagt</translation>
    </message>
</context>
<context>
    <name>pim::views::CrossbarPanels</name>
    <message>
        <source>Chips</source>
        <translation>Chips</translation>
    </message>
    <message>
        <source>Why This &amp;Mapping</source>
        <translation>Warum diese &amp;Abbildung</translation>
    </message>
    <message>
        <source>Why this mapping? Chips, timeline, hardware</source>
        <translation>Warum diese Abbildung? Chips, Zeitleiste, Hardware</translation>
    </message>
    <message>
        <source>Samples per second</source>
        <translation>Samples pro Sekunde</translation>
    </message>
    <message>
        <source>samples per second</source>
        <translation>Samples pro Sekunde</translation>
    </message>
    <message>
        <source>Products at work</source>
        <translation>Produkte in Arbeit</translation>
    </message>
    <message>
        <source>products at work, %</source>
        <translation>Produkte in Arbeit, %</translation>
    </message>
    <message>
        <source>Finds the layers whose weights arrays hold, and the ops that go with each</source>
        <translation>Findet die Schichten, deren Gewichte Arrays halten, und die Ops, die zu jeder gehören</translation>
    </message>
    <message>
        <source>Decides how many copies of each layer there are, and in which cores</source>
        <translation>Entscheidet, wie viele Kopien es von jeder Schicht gibt und in welchen Kernen</translation>
    </message>
    <message>
        <source>Writes what every core does and when it waits for another</source>
        <translation>Schreibt, was jeder Kern tut und wann er auf einen anderen wartet</translation>
    </message>
    <message>
        <source>Times the program on the cores, their memories and the network between them</source>
        <translation>Ermittelt die Zeiten des Programms auf den Kernen, ihren Speichern und dem Netz dazwischen</translation>
    </message>
</context>
<context>
    <name>pim::views::DecidesView</name>
    <message>
        <source>Otherwise</source>
        <translation>Andernfalls</translation>
    </message>
    <message>
        <source>What is changed, all else as it is</source>
        <translation>Was geändert wird, alles andere wie gehabt</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>A size, a name, or a factor</source>
        <translation>Eine Größe, ein Name oder ein Faktor</translation>
    </message>
    <message>
        <source>First</source>
        <translation>Erste</translation>
    </message>
    <message>
        <source>The machine that is first then</source>
        <translation>Die Maschine, die dann die erste ist</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>What it takes</source>
        <translation>Was es braucht</translation>
    </message>
    <message>
        <source>Lead</source>
        <translation>Vorsprung</translation>
    </message>
    <message>
        <source>Time of the best other machine over that of the one that is first as things are; below 1 another is first</source>
        <translation>Zeit der besten anderen Maschine durch die der jetzt ersten; unter 1 ist eine andere die erste</translation>
    </message>
    <message>
        <source>Takes over at</source>
        <translation>Wechsel bei</translation>
    </message>
    <message>
        <source>Size or factor at which the other machine takes over, found by bisection</source>
        <translation>Größe oder Faktor, ab dem die andere Maschine vorn liegt, durch Bisektion gefunden</translation>
    </message>
    <message>
        <source>cannot</source>
        <translation>kann nicht</translation>
    </message>
    <message>
        <source>alone</source>
        <translation>allein</translation>
    </message>
    <message>
        <source>&amp;Hosts Too</source>
        <translation>Auch Host&amp;s</translation>
    </message>
    <message>
        <source>What decides</source>
        <translation>Was entscheidet</translation>
    </message>
    <message>
        <source>What may be otherwise</source>
        <translation>Was anders sein darf</translation>
    </message>
    <message>
        <source>host, bandwidths, sizes, number types, order</source>
        <translation>Host, Bandbreiten, Größen, Zahlentypen, Ordnung</translation>
    </message>
    <message>
        <source>Empty: what people ask about. Else names and values: seq=128,2048;host=a100;bandwidth=0.5,2. Figures of the machines have factors</source>
        <translation>Leer: wonach meist gefragt wird. Sonst Namen und Werte: seq=128,2048;host=a100;bandwidth=0.5,2. Zahlen der Maschinen haben Faktoren</translation>
    </message>
    <message>
        <source>Hosts and GPUs without PIM take part</source>
        <translation>Hosts und GPUs ohne PIM nehmen teil</translation>
    </message>
    <message>
        <source>Each thing otherwise, what decides most on top</source>
        <translation>Jedes einmal anders, das Entscheidendste zuoberst</translation>
    </message>
    <message>
        <source>Other&amp;wise</source>
        <translation>Ande&amp;rnfalls</translation>
    </message>
    <message>
        <source>What &amp;Decides?</source>
        <translation>Was &amp;entscheidet?</translation>
    </message>
    <message>
        <source>Each machine is asked again with one thing at a time otherwise: is the first still first?</source>
        <translation>Jede Maschine wird mit je einer Änderung noch einmal gefragt: Ist die erste noch die erste?</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>Öffnen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>Asking …</source>
        <translation>Wird gefragt …</translation>
    </message>
    <message>
        <source>Asking what decides</source>
        <translation>Es wird gefragt, was entscheidet</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>As things are %1 is first, %2</source>
        <translation>So wie es ist, ist %1 die erste, %2</translation>
    </message>
    <message>
        <source>, %1 as fast as %2</source>
        <translation>, %1 so schnell wie %2</translation>
    </message>
    <message>
        <source>. Nothing of this makes another machine first.</source>
        <translation>. Nichts davon macht eine andere Maschine zur ersten.</translation>
    </message>
    <message>
        <source>. Who is first depends on: %1.</source>
        <translation>. Wer die erste ist, hängt ab von: %1.</translation>
    </message>
</context>
<context>
    <name>pim::views::DecisionsModel</name>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>applied</source>
        <translation>angewandt</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>umgezogen</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>the whole network</source>
        <translation>das ganze Netz</translation>
    </message>
    <message>
        <source>%1 ns%2</source>
        <translation>%1 ns%2</translation>
    </message>
    <message>
        <source>, before the last change</source>
        <translation>, vor der letzten Änderung</translation>
    </message>
    <message>
        <source>The plan that tells whether it fits is being made</source>
        <translation>Der Plan, der zeigt, ob sie passt, wird gerade erstellt</translation>
    </message>
    <message>
        <source>It is kept and comes back when it fits again</source>
        <translation>Sie wird behalten und kommt zurück, wenn sie wieder passt</translation>
    </message>
    <message>
        <source>Op takes (ns)</source>
        <translation>Op braucht (ns)</translation>
    </message>
    <message>
        <source>applied: in the plan · moved: in the plan, the op has a new name · stale: kept, but not in the plan</source>
        <translation>angewandt: im Plan · umgezogen: im Plan, die Op hat einen neuen Namen · veraltet: behalten, aber nicht im Plan</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Decides</source>
        <translation>Entscheidet</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Op takes</source>
        <translation>Op braucht</translation>
    </message>
</context>
<context>
    <name>pim::views::DecisionsView</name>
    <message>
        <source>Take Over Names</source>
        <translation>Namen übernehmen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove All</source>
        <translation>Alle entfernen</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Your decisions</source>
        <translation>Ihre Entscheidungen</translation>
    </message>
    <message>
        <source>Decisions and variants</source>
        <translation>Entscheidungen und Varianten</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Status of your decisions</source>
        <translation>Status Ihrer Entscheidungen</translation>
    </message>
    <message>
        <source>List of your decisions</source>
        <translation>Liste Ihrer Entscheidungen</translation>
    </message>
    <message>
        <source>Rewrite moved decisions to the names their ops have now</source>
        <translation>Umgezogene Entscheidungen auf die jetzigen Namen ihrer Ops umschreiben</translation>
    </message>
    <message>
        <source>Remove the selected decisions (Del)</source>
        <translation>Die gewählten Entscheidungen entfernen (Entf)</translation>
    </message>
    <message>
        <source>Remove all decisions of this variant</source>
        <translation>Alle Entscheidungen dieser Variante entfernen</translation>
    </message>
    <message>
        <source>Import decisions or a JSON patch from a file</source>
        <translation>Entscheidungen oder einen JSON-Patch aus einer Datei importieren</translation>
    </message>
    <message>
        <source>Export decisions to a file, or as a JSON patch against the parent variant</source>
        <translation>Entscheidungen in eine Datei exportieren, oder als JSON-Patch gegenüber der Elternvariante</translation>
    </message>
    <message>
        <source>Remove decisions</source>
        <translation>Entscheidungen entfernen</translation>
    </message>
    <message>
        <source>Remove all decisions</source>
        <translation>Alle Entscheidungen entfernen</translation>
    </message>
    <message>
        <source>Import Decisions</source>
        <translation>Entscheidungen importieren</translation>
    </message>
    <message>
        <source>Decisions or JSON patch (*.json)</source>
        <translation>Entscheidungen oder JSON-Patch (*.json)</translation>
    </message>
    <message>
        <source>Decisions (*.json);;JSON patch against the parent variant (*.patch.json)</source>
        <translation>Entscheidungen (*.json);;JSON-Patch gegenüber der Elternvariante (*.patch.json)</translation>
    </message>
    <message>
        <source>Export Decisions</source>
        <translation>Entscheidungen exportieren</translation>
    </message>
    <message>
        <source>No decisions yet: everything is the compiler&apos;s choice. Change a placement or a draft in the inspector, the drafts table or by dragging onto the hardware.</source>
        <translation>Noch keine Entscheidungen: Alles hat der Compiler gewählt. Ändern Sie eine Platzierung oder einen Entwurf im Inspektor, in der Tabelle der Entwürfe oder durch Ziehen auf die Hardware.</translation>
    </message>
    <message>
        <source>1 decision is yours; the rest is the compiler&apos;s choice.</source>
        <translation>1 Entscheidung ist Ihre; den Rest hat der Compiler gewählt.</translation>
    </message>
    <message>
        <source>%1 decisions are yours; the rest is the compiler&apos;s choice.</source>
        <translation>%1 Entscheidungen sind Ihre; den Rest hat der Compiler gewählt.</translation>
    </message>
    <message>
        <source>1 moved with its op.</source>
        <translation>1 ist mit ihrer Op umgezogen.</translation>
    </message>
    <message>
        <source>%1 moved with their ops.</source>
        <translation>%1 sind mit ihren Ops umgezogen.</translation>
    </message>
    <message>
        <source>1 does not fit and is kept aside.</source>
        <translation>1 passt nicht und wird zurückgestellt.</translation>
    </message>
    <message>
        <source>%1 do not fit and are kept aside.</source>
        <translation>%1 passen nicht und werden zurückgestellt.</translation>
    </message>
    <message>
        <source>Decisions (%1)</source>
        <translation>Entscheidungen (%1)</translation>
    </message>
    <message>
        <source>Variants (%1)</source>
        <translation>Varianten (%1)</translation>
    </message>
    <message>
        <source>Remove a decision</source>
        <translation>Eine Entscheidung entfernen</translation>
    </message>
    <message>
        <source>Remove %1 decisions</source>
        <translation>%1 Entscheidungen entfernen</translation>
    </message>
    <message>
        <source>Cannot read %1: %2</source>
        <translation>%1 ist nicht lesbar: %2</translation>
    </message>
    <message>
        <source>Import decisions from %1</source>
        <translation>Entscheidungen aus %1 importieren</translation>
    </message>
    <message>
        <source>Imported: %1 applied, %2 moved, %3 stale</source>
        <translation>Importiert: %1 angewandt, %2 umgezogen, %3 veraltet</translation>
    </message>
    <message>
        <source>Cannot write %1: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>Decisions written to %1</source>
        <translation>Entscheidungen nach %1 geschrieben</translation>
    </message>
</context>
<context>
    <name>pim::views::DeltaModel</name>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>only in %1</source>
        <translation>nur in %1</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 ns</source>
        <translation>%1 ns</translation>
    </message>
    <message>
        <source>%1 ns%2</source>
        <translation>%1 ns%2</translation>
    </message>
    <message>
        <source>, draft %1</source>
        <translation>, Entwurf %1</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Name of the op</source>
        <translation>Name der Op</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Kind of op</source>
        <translation>Art der Op</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>Where it runs, in every run</source>
        <translation>Wo sie läuft, in jedem Lauf</translation>
    </message>
    <message>
        <source>The run that differs most, minus the baseline; sorts by size</source>
        <translation>Der Lauf mit dem größten Unterschied, minus Bezug; sortiert nach Betrag</translation>
    </message>
    <message>
        <source>B minus A; sorts by size</source>
        <translation>B minus A; sortiert nach Betrag</translation>
    </message>
    <message>
        <source>Δ over the baseline</source>
        <translation>Δ zum Bezug</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Which parts changed</source>
        <translation>Welche Teile sich geändert haben</translation>
    </message>
    <message>
        <source>Time in %1, the baseline</source>
        <translation>Zeit in %1, dem Bezug</translation>
    </message>
    <message>
        <source>Time in %1</source>
        <translation>Zeit in %1</translation>
    </message>
    <message>
        <source>run %1, %2</source>
        <translation>Lauf %1, %2</translation>
    </message>
</context>
<context>
    <name>pim::views::DocumentWords</name>
    <message>
        <source>%1, process %2 on %3</source>
        <translation>%1, Prozess %2 auf %3</translation>
    </message>
    <message>
        <source>The model file has changed since the project was last used: figures may differ</source>
        <translation>Die Modelldatei hat sich geändert, seit das Projekt zuletzt verwendet wurde: Zahlen können abweichen</translation>
    </message>
    <message>
        <source>Another window has this project open (%1), so it is read-only here and nothing is stored. Save it under another name, or close that window and open it again</source>
        <translation>Ein anderes Fenster hat dieses Projekt geöffnet (%1); hier ist es daher schreibgeschützt, und nichts wird gespeichert. Speichern Sie es unter einem anderen Namen, oder schließen Sie jenes Fenster und öffnen Sie es erneut</translation>
    </message>
    <message>
        <source>The project is open read-only: new runs and decisions are not stored</source>
        <translation>Das Projekt ist schreibgeschützt geöffnet: Neue Läufe und Entscheidungen werden nicht gespeichert</translation>
    </message>
    <message>
        <source>device in %1</source>
        <translation>Gerät in %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>the whole network</source>
        <translation>das ganze Netz</translation>
    </message>
    <message>
        <source>Set %1 of %2 to %3</source>
        <translation>%1 von %2 auf %3 setzen</translation>
    </message>
    <message>
        <source>Predictor %1 of this project cannot be read: drafts are ranked by the formula until you open its file or train another</source>
        <translation>Prädiktor %1 dieses Projekts ist nicht lesbar: Entwürfe werden nach der Formel geordnet, bis Sie seine Datei öffnen oder einen anderen trainieren</translation>
    </message>
</context>
<context>
    <name>pim::views::DpuCanvas</name>
    <message>
        <source>DPUs of the machine</source>
        <translation>DPUs der Maschine</translation>
    </message>
    <message>
        <source>Arrow keys go from DPU to DPU, Page Up and Page Down from module to module, + and - zoom, F shows all.</source>
        <translation>Pfeiltasten gehen von DPU zu DPU, Bild auf und Bild ab von Modul zu Modul, + und - zoomen, F zeigt alles.</translation>
    </message>
    <message>
        <source>module %1 · ranks %2 and %3</source>
        <translation>Modul %1 · Ranks %2 und %3</translation>
    </message>
    <message>
        <source>module %1</source>
        <translation>Modul %1</translation>
    </message>
    <message>
        <source>%1 (of %2)</source>
        <translation>%1 (von %2)</translation>
    </message>
    <message>
        <source>none</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>more than its MRAM holds</source>
        <translation>mehr, als ihr MRAM fasst</translation>
    </message>
</context>
<context>
    <name>pim::views::DpuCodeView</name>
    <message>
        <source>Code of a DPU</source>
        <translation>Code einer DPU</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Stelle</translation>
    </message>
    <message>
        <source>Of the instruction in the program</source>
        <translation>Der Instruktion im Programm</translation>
    </message>
    <message>
        <source>Instruction</source>
        <translation>Instruktion</translation>
    </message>
    <message>
        <source>Issued</source>
        <translation>Ausgeführt</translation>
    </message>
    <message>
        <source>How often, by all tasklets together</source>
        <translation>Wie oft, von allen Tasklets zusammen</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>Of all instructions of the run</source>
        <translation>An allen Instruktionen des Laufs</translation>
    </message>
    <message>
        <source>C code of every tasklet</source>
        <translation>C-Code jedes Tasklets</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find in the code</source>
        <translation>Im Code suchen</translation>
    </message>
    <message>
        <source>Find in the code (Ctrl+F): Enter goes to the next place, Shift+Enter to the one before</source>
        <translation>Im Code suchen (Strg+F): Eingabe geht zur nächsten Stelle, Umschalt+Eingabe zur vorigen</translation>
    </message>
    <message>
        <source>Go to the hottest line</source>
        <translation>Zur heißesten Zeile gehen</translation>
    </message>
    <message>
        <source>Instructions of the current line</source>
        <translation>Instruktionen der aktuellen Zeile</translation>
    </message>
    <message>
        <source>What the instructions are of</source>
        <translation>Wovon die Instruktionen sind</translation>
    </message>
    <message>
        <source>No code to show</source>
        <translation>Kein Code zu zeigen</translation>
    </message>
    <message>
        <source>Select an operator that runs on DPUs.</source>
        <translation>Wählen Sie einen Operator, der auf DPUs läuft.</translation>
    </message>
    <message>
        <source>“%1” is nowhere in the code</source>
        <translation>„%1“ kommt im Code nicht vor</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; · %2 instructions issued, %3 of them by start and routines · program of %4</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; · %2 Instruktionen ausgeführt, %3 davon in Start und Routinen · Programm von %4</translation>
    </message>
    <message>
        <source>Line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>Start and routines</source>
        <translation>Start und Routinen</translation>
    </message>
    <message>
        <source>%1: %2 instructions, issued %3 times</source>
        <translation>%1: %2 Instruktionen, %3-mal ausgeführt</translation>
    </message>
    <message>
        <source>%1 · %2 of %3 instructions issued, %4</source>
        <translation>%1 · %2 von %3 Instruktionen ausgeführt, %4</translation>
    </message>
</context>
<context>
    <name>pim::views::DpuFigureWords</name>
    <message>
        <source>Busy share</source>
        <translation>Arbeitsanteil</translation>
    </message>
    <message>
        <source>MRAM kept</source>
        <translation>MRAM dauerhaft</translation>
    </message>
    <message>
        <source>MRAM at most</source>
        <translation>MRAM höchstens</translation>
    </message>
    <message>
        <source>Share of the time in which the DPU computes</source>
        <translation>Anteil der Zeit, in der die DPU rechnet</translation>
    </message>
    <message>
        <source>MRAM taken by what stays from run to run</source>
        <translation>MRAM, das belegt ist von dem, was von Lauf zu Lauf bleibt</translation>
    </message>
    <message>
        <source>MRAM taken by what stays and what passes, at most</source>
        <translation>MRAM, das höchstens belegt ist von dem, was bleibt, und dem, was durchläuft</translation>
    </message>
    <message>
        <source>DPU %1: module %2, rank %3, chip %4</source>
        <translation>DPU %1: Modul %2, Rank %3, Chip %4</translation>
    </message>
    <message>
        <source>%1 · busy %2 (%3 of %4) · MRAM: %5 kept, %6 at most, of %7</source>
        <translation>%1 · arbeitet %2 (%3 von %4) · MRAM: %5 dauerhaft, %6 höchstens, von %7</translation>
    </message>
    <message>
        <source> · too much</source>
        <translation> · zu viel</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; of %2 DPUs compute, the busiest %3 of %4</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; von %2 DPUs rechnen, die am stärksten belastete %3 von %4</translation>
    </message>
    <message>
        <source> · MRAM of %1 is too small</source>
        <translation> · MRAM von %1 ist zu klein</translation>
    </message>
</context>
<context>
    <name>pim::views::DpuMemory</name>
    <message>
        <source>free</source>
        <translation>frei</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; %2 of %3 taken (%4)</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; %2 von %3 belegt (%4)</translation>
    </message>
    <message>
        <source> · &lt;span style=&apos;color:%1&apos;&gt;&lt;b&gt;%2 do not fit&lt;/b&gt;&lt;/span&gt;</source>
        <translation> · &lt;span style=&apos;color:%1&apos;&gt;&lt;b&gt;%2 passen nicht&lt;/b&gt;&lt;/span&gt;</translation>
    </message>
    <message>
        <source>%1: free</source>
        <translation>%1: frei</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source> of tasklet %1</source>
        <translation> von Tasklet %1</translation>
    </message>
    <message>
        <source>tensor %1</source>
        <translation>Tensor %1</translation>
    </message>
    <message>
        <source>%1 (%2 B) from byte %3</source>
        <translation>%1 (%2 B) ab Byte %3</translation>
    </message>
    <message>
        <source>%1 of them do not fit</source>
        <translation>%1 davon passen nicht</translation>
    </message>
    <message>
        <source>kept from run to run</source>
        <translation>bleibt von Lauf zu Lauf</translation>
    </message>
    <message>
        <source>of this run</source>
        <translation>dieses Laufs</translation>
    </message>
    <message>
        <source>stacks and runtime</source>
        <translation>Stacks und Laufzeitsystem</translation>
    </message>
    <message>
        <source>shared by all tasklets</source>
        <translation>von allen Tasklets geteilt</translation>
    </message>
    <message>
        <source>of each tasklet</source>
        <translation>jedes Tasklets</translation>
    </message>
</context>
<context>
    <name>pim::views::DpuMemoryView</name>
    <message>
        <source>Memory of a DPU</source>
        <translation>Speicher einer DPU</translation>
    </message>
    <message>
        <source>MRAM from its first byte to its last</source>
        <translation>MRAM vom ersten bis zum letzten Byte</translation>
    </message>
    <message>
        <source>WRAM from its first byte to its last</source>
        <translation>WRAM vom ersten bis zum letzten Byte</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Of the array or buffer in the code</source>
        <translation>Des Arrays oder Puffers im Code</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Of the network</source>
        <translation>Des Netzes</translation>
    </message>
    <message>
        <source>Tasklet</source>
        <translation>Tasklet</translation>
    </message>
    <message>
        <source>That it belongs to</source>
        <translation>Zu dem es gehört</translation>
    </message>
    <message>
        <source>From byte</source>
        <translation>Ab Byte</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>MRAM in use</source>
        <translation>MRAM belegt</translation>
    </message>
    <message>
        <source>WRAM in use</source>
        <translation>WRAM belegt</translation>
    </message>
    <message>
        <source>Show all of both memories (F)</source>
        <translation>Alles von beiden Speichern zeigen (F)</translation>
    </message>
    <message>
        <source>Show what is taken of both memories (T)</source>
        <translation>Das Belegte beider Speicher zeigen (T)</translation>
    </message>
    <message>
        <source>Pieces of both memories</source>
        <translation>Stücke beider Speicher</translation>
    </message>
    <message>
        <source>No memory to show</source>
        <translation>Kein Speicher zu zeigen</translation>
    </message>
    <message>
        <source>Select an operator that runs on DPUs.</source>
        <translation>Wählen Sie einen Operator, der auf DPUs läuft.</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; · %2 tasklets</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; · %2 Tasklets</translation>
    </message>
    <message>
        <source>does not fit · </source>
        <translation>passt nicht · </translation>
    </message>
    <message>
        <source>Point at a piece · wheel zooms, drag moves, double click shows one piece or all, T what is taken</source>
        <translation>Auf ein Stück zeigen · Rad zoomt, Ziehen schiebt, Doppelklick zeigt ein Stück oder alles, T das Belegte</translation>
    </message>
</context>
<context>
    <name>pim::views::DpusView</name>
    <message>
        <source>Figure that colours the DPUs</source>
        <translation>Zahl, nach der die DPUs gefärbt sind</translation>
    </message>
    <message>
        <source>Operators the figures are of</source>
        <translation>Operatoren, von denen die Zahlen sind</translation>
    </message>
    <message>
        <source>DPUs</source>
        <translation>DPUs</translation>
    </message>
    <message>
        <source>DPU under the pointer, or the chosen one</source>
        <translation>DPU unter dem Zeiger oder die gewählte</translation>
    </message>
    <message>
        <source>DPUs at work</source>
        <translation>DPUs in Arbeit</translation>
    </message>
    <message>
        <source>All operators</source>
        <translation>Alle Operatoren</translation>
    </message>
    <message>
        <source>Selected operator</source>
        <translation>Gewählter Operator</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>DPU</source>
        <translation>DPU</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Chip</source>
        <translation>Chip</translation>
    </message>
    <message>
        <source>Of the rank</source>
        <translation>Des Ranks</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Dauerhaft</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Höchstens</translation>
    </message>
    <message>
        <source>Figures of all DPUs</source>
        <translation>Zahlen aller DPUs</translation>
    </message>
    <message>
        <source>Point at a DPU, click to select it · wheel zooms, drag moves, F shows all</source>
        <translation>Auf eine DPU zeigen, Klick wählt sie · Rad zoomt, Ziehen schiebt, F zeigt alles</translation>
    </message>
    <message>
        <source>No DPUs to show</source>
        <translation>Keine DPUs zu zeigen</translation>
    </message>
    <message>
        <source>Load of the DPUs</source>
        <translation>Auslastung der DPUs</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
</context>
<context>
    <name>pim::views::DraftBoard</name>
    <message>
        <source>Measuring drafts</source>
        <translation>Entwürfe werden vermessen</translation>
    </message>
    <message>
        <source>Simulating a draft</source>
        <translation>Ein Entwurf wird simuliert</translation>
    </message>
    <message>
        <source>Simulating %1 drafts</source>
        <translation>%1 Entwürfe werden simuliert</translation>
    </message>
    <message>
        <source>The drafts could not be simulated: %1</source>
        <translation>Die Entwürfe konnten nicht simuliert werden: %1</translation>
    </message>
</context>
<context>
    <name>pim::views::DraftDeltaModel</name>
    <message>
        <source>Figure</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Δ</source>
        <translation>Δ</translation>
    </message>
    <message>
        <source>Δ %</source>
        <translation>Δ %</translation>
    </message>
    <message>
        <source>What is measured; times in ns, sizes in bytes, shares of 1 when copied</source>
        <translation>Was gemessen wird; beim Kopieren Zeiten in ns, Größen in Byte, Anteile von 1</translation>
    </message>
    <message>
        <source>Of draft A</source>
        <translation>Von Entwurf A</translation>
    </message>
    <message>
        <source>Of draft B</source>
        <translation>Von Entwurf B</translation>
    </message>
    <message>
        <source>B less A; sorts by size without its sign</source>
        <translation>B minus A; sortiert nach Betrag ohne Vorzeichen</translation>
    </message>
    <message>
        <source>Difference over A; sorts by size without its sign</source>
        <translation>Unterschied zu A; sortiert nach Betrag ohne Vorzeichen</translation>
    </message>
</context>
<context>
    <name>pim::views::DraftEditor</name>
    <message>
        <source>Editor of the draft</source>
        <translation>Editor des Entwurfs</translation>
    </message>
    <message>
        <source>Indices a core holds</source>
        <translation>Indizes, die ein Kern hält</translation>
    </message>
    <message>
        <source>Where a core needs indices with gaps: hold the whole range, or only the needed indices</source>
        <translation>Wo ein Kern Indizes mit Lücken braucht: den ganzen Bereich halten oder nur die gebrauchten Indizes</translation>
    </message>
    <message>
        <source>Indices</source>
        <translation>Indizes</translation>
    </message>
    <message>
        <source>exact set</source>
        <translation>genaue Menge</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>Dimension</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Mapping</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>A core gets</source>
        <translation>Kern erhält</translation>
    </message>
    <message>
        <source>%1
%2
Drag it, or cut it (%3) and paste it: on a device or group over groups, on a core over cores</source>
        <translation>%1
%2
Ziehen, oder ausschneiden (%3) und einfügen: auf einem Gerät oder einer Gruppe über Gruppen, auf einem Kern über Kerne</translation>
    </message>
    <message>
        <source>Groups for %1</source>
        <translation>Gruppen für %1</translation>
    </message>
    <message>
        <source>Cores of a group for %1</source>
        <translation>Kerne einer Gruppe für %1</translation>
    </message>
    <message>
        <source>Representative mapping of %1</source>
        <translation>Abbildung von %1</translation>
    </message>
    <message>
        <source>The other dimensions leave %1 of %2 groups</source>
        <translation>Die anderen Dimensionen lassen %1 von %2 Gruppen übrig</translation>
    </message>
    <message>
        <source>The other dimensions leave %1 of %2 cores per group</source>
        <translation>Die anderen Dimensionen lassen %1 von %2 Kernen je Gruppe übrig</translation>
    </message>
    <message>
        <source>The dimension that is cut; the others of its set follow</source>
        <translation>Die Dimension, die zerteilt wird; die anderen ihrer Menge folgen</translation>
    </message>
    <message>
        <source>1 element</source>
        <translation>1 Element</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 Elemente</translation>
    </message>
    <message>
        <source>expanded range</source>
        <translation>erweiterter Bereich</translation>
    </message>
    <message>
        <source>%1 of %2 groups, %3 of %4 cores per group, %5 of tiles per core</source>
        <translation>%1 von %2 Gruppen, %3 von %4 Kernen je Gruppe, %5 der Tiles je Kern</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
</context>
<context>
    <name>pim::views::DraftRanking</name>
    <message>
        <source>There is none yet: open a predictor file, or train one.</source>
        <translation>Es gibt noch keinen: öffnen Sie eine Prädiktordatei oder trainieren Sie einen.</translation>
    </message>
    <message>
        <source>Predictor %1 of this project cannot be read: open its file, or train one anew.</source>
        <translation>Prädiktor %1 dieses Projekts ist nicht lesbar: öffnen Sie seine Datei oder trainieren Sie einen neuen.</translation>
    </message>
    <message>
        <source>Choose a target first.</source>
        <translation>Wählen Sie zuerst ein Ziel.</translation>
    </message>
    <message>
        <source>Drafts are ranked by the predictor shipped for this machine (%1)</source>
        <translation>Entwürfe werden nach dem Prädiktor geordnet, der für diese Maschine mitgeliefert ist (%1)</translation>
    </message>
    <message>
        <source>Drafts are ranked by your predictor %1</source>
        <translation>Entwürfe werden nach Ihrem Prädiktor %1 geordnet</translation>
    </message>
    <message>
        <source>Drafts are ranked by the formula: the shipped predictor was trained for other code</source>
        <translation>Entwürfe werden nach der Formel geordnet: der mitgelieferte Prädiktor wurde für anderen Code trainiert</translation>
    </message>
    <message>
        <source>Drafts are ranked by the formula: no predictor is shipped for this machine</source>
        <translation>Entwürfe werden nach der Formel geordnet: für diese Maschine ist kein Prädiktor mitgeliefert</translation>
    </message>
    <message>
        <source>Drafts are ranked by the formula: your predictor was trained for other code</source>
        <translation>Entwürfe werden nach der Formel geordnet: Ihr Prädiktor wurde für anderen Code trainiert</translation>
    </message>
    <message>
        <source>Drafts are ranked by the formula. %1</source>
        <translation>Entwürfe werden nach der Formel geordnet. %1</translation>
    </message>
    <message>
        <source>Drafts are ranked by the formula</source>
        <translation>Entwürfe werden nach der Formel geordnet</translation>
    </message>
    <message>
        <source>Rank drafts by the formula</source>
        <translation>Entwürfe nach der Formel ordnen</translation>
    </message>
    <message>
        <source>Rank drafts by the shipped predictor</source>
        <translation>Entwürfe nach dem mitgelieferten Prädiktor ordnen</translation>
    </message>
    <message>
        <source>Rank drafts by your predictor</source>
        <translation>Entwürfe nach Ihrem Prädiktor ordnen</translation>
    </message>
    <message>
        <source>Rank drafts by %1</source>
        <translation>Entwürfe nach %1 ordnen</translation>
    </message>
    <message>
        <source>Choose a target first</source>
        <translation>Wählen Sie zuerst ein Ziel</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>Lese %1</translation>
    </message>
    <message>
        <source>%1 cannot rank drafts here: %2 — %3</source>
        <translation>%1 kann hier keine Entwürfe ordnen: %2 – %3</translation>
    </message>
    <message>
        <source>Drafts of %1 are ranked by the predictor shipped for this machine, which ranks them better (%2); all others by the formula</source>
        <translation>Entwürfe von %1 ordnet der für diese Maschine mitgelieferte Prädiktor, der sie besser ordnet (%2), alle anderen die Formel</translation>
    </message>
    <message>
        <source>Drafts are ranked by the formula: the predictor shipped for this machine is nowhere better, or was trained for other code</source>
        <translation>Entwürfe ordnet die Formel: Der für diese Maschine mitgelieferte Prädiktor ist nirgends besser oder wurde für anderen Code trainiert</translation>
    </message>
    <message>
        <source>Rank drafts by what ranks them better</source>
        <translation>Entwürfe nach dem ordnen, was sie besser ordnet</translation>
    </message>
</context>
<context>
    <name>pim::views::DraftScatter</name>
    <message>
        <source>total time</source>
        <translation>Gesamtzeit</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>rearrangement in + out</source>
        <translation>Umordnung hin + zurück</translation>
    </message>
    <message>
        <source>input rearrangement</source>
        <translation>Umordnung der Eingänge</translation>
    </message>
    <message>
        <source>output rearrangement</source>
        <translation>Umordnung der Ausgänge</translation>
    </message>
    <message>
        <source>mode switch</source>
        <translation>Moduswechsel</translation>
    </message>
    <message>
        <source>memory of the fullest core</source>
        <translation>Speicher des vollsten Kerns</translation>
    </message>
    <message>
        <source>bytes moved</source>
        <translation>bewegte Bytes</translation>
    </message>
    <message>
        <source>cores with work</source>
        <translation>Kerne mit Arbeit</translation>
    </message>
    <message>
        <source>Scatter of drafts</source>
        <translation>Streudiagramm der Entwürfe</translation>
    </message>
    <message>
        <source>Left and Right walk along the Pareto front</source>
        <translation>Links und Rechts gehen die Pareto-Front entlang</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>drafts ≈</source>
        <translation>Entwürfe ≈</translation>
    </message>
    <message>
        <source>Pareto front</source>
        <translation>Pareto-Front</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>in force</source>
        <translation>geltend</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>X</source>
        <translation>X</translation>
    </message>
    <message>
        <source>Y</source>
        <translation>Y</translation>
    </message>
    <message>
        <source>What the X axis shows</source>
        <translation>Was die X-Achse zeigt</translation>
    </message>
    <message>
        <source>What the Y axis shows</source>
        <translation>Was die Y-Achse zeigt</translation>
    </message>
    <message>
        <source>rejected: %1</source>
        <translation>abgelehnt: %1</translation>
    </message>
    <message>
        <source>simulated total: %1</source>
        <translation>simulierte Gesamtzeit: %1</translation>
    </message>
    <message>
        <source>draft %1</source>
        <translation>Entwurf %1</translation>
    </message>
</context>
<context>
    <name>pim::views::DraftSearchWords</name>
    <message>
        <source>%1 has no drafts: this machine is planned as a whole</source>
        <translation>%1 hat keine Entwürfe: Diese Maschine wird als Ganzes geplant</translation>
    </message>
    <message>
        <source>%1 has no drafts: %2. %3.</source>
        <translation>%1 hat keine Entwürfe: %2. %3.</translation>
    </message>
    <message>
        <source>Select an op to see its drafts</source>
        <translation>Wählen Sie eine Op, um ihre Entwürfe zu sehen</translation>
    </message>
    <message>
        <source>Open a model to see drafts</source>
        <translation>Öffnen Sie ein Modell, um Entwürfe zu sehen</translation>
    </message>
    <message>
        <source>The network is being planned</source>
        <translation>Das Netz wird geplant</translation>
    </message>
    <message>
        <source>%1 has no drafts: %2</source>
        <translation>%1 hat keine Entwürfe: %2</translation>
    </message>
    <message>
        <source>it runs on the host</source>
        <translation>sie läuft auf dem Host</translation>
    </message>
    <message>
        <source>Searching drafts of %1…</source>
        <translation>Entwürfe von %1 werden gesucht…</translation>
    </message>
    <message>
        <source>The search was cancelled; select the op again to repeat it</source>
        <translation>Die Suche wurde abgebrochen; wählen Sie die Op erneut, um sie zu wiederholen</translation>
    </message>
</context>
<context>
    <name>pim::views::DraftsModel</name>
    <message>
        <source>%1
%2 groups, %3 cores per group; each core gets %4 of the dimension</source>
        <translation>%1
%2 Gruppen, %3 Kerne je Gruppe; jeder Kern bekommt %4 der Dimension</translation>
    </message>
    <message>
        <source>exact set</source>
        <translation>genaue Menge</translation>
    </message>
    <message>
        <source>expanded</source>
        <translation>erweitert</translation>
    </message>
    <message>
        <source>%1 B in the fullest core</source>
        <translation>%1 B im vollsten Kern</translation>
    </message>
    <message>
        <source>in force</source>
        <translation>geltend</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>Another draft stands for it: select it to see which</source>
        <translation>Ein anderer Entwurf steht für ihn: wählen Sie ihn, um zu sehen, welcher</translation>
    </message>
    <message>
        <source>Rejected before it was priced</source>
        <translation>Abgelehnt, bevor er bewertet wurde</translation>
    </message>
    <message>
        <source>Not simulated yet</source>
        <translation>Noch nicht simuliert</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 ns simulated, %2 ns predicted</source>
        <translation>%1 ns simuliert, %2 ns vorhergesagt</translation>
    </message>
    <message>
        <source>%1 ns, %2</source>
        <translation>%1 ns, %2</translation>
    </message>
    <message>
        <source>Dimension set %1
groups × cores, representative mapping</source>
        <translation>Dimensionsmenge %1
Gruppen × Kerne, repräsentative Abbildung</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>All parts (predicted)</source>
        <translation>Alle Teile (vorhergesagt)</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>Simuliert</translation>
    </message>
    <message>
        <source>All parts, from running the commands; – where it was not simulated</source>
        <translation>Alle Teile, aus dem Ausführen der Befehle; – wo nicht simuliert wurde</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Simulated over predicted, less 1: how far the prediction is off</source>
        <translation>Simuliert durch vorhergesagt, minus 1: wie weit die Vorhersage daneben liegt</translation>
    </message>
    <message>
        <source>To best</source>
        <translation>Zum besten</translation>
    </message>
    <message>
        <source>Total over the total of the best draft of this op</source>
        <translation>Gesamtzeit durch die des besten Entwurfs dieser Op</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>Rearrangement of streamed inputs (predicted)</source>
        <translation>Umordnung durchlaufender Eingänge (vorhergesagt)</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>PIM units busy (predicted)</source>
        <translation>PIM-Einheiten arbeiten (vorhergesagt)</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Rearrangement of outputs, partial results merged (predicted)</source>
        <translation>Umordnung der Ausgänge, Teilergebnisse zusammengeführt (vorhergesagt)</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>Wechsel</translation>
    </message>
    <message>
        <source>Entering and leaving PIM mode (predicted)</source>
        <translation>In den PIM-Modus und wieder heraus (vorhergesagt)</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>Kerne</translation>
    </message>
    <message>
        <source>Cores the draft allocates over all groups</source>
        <translation>Kerne, die der Entwurf über alle Gruppen belegt</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Tiles of all tensors in the fullest core</source>
        <translation>Tiles aller Tensoren im vollsten Kern</translation>
    </message>
    <message>
        <source>Indices</source>
        <translation>Indizes</translation>
    </message>
    <message>
        <source>What a core holds where the indices it needs are not contiguous</source>
        <translation>Was ein Kern hält, wo die Indizes, die er braucht, nicht zusammenhängen</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>In force, best, or the rule that removed the draft</source>
        <translation>Geltend, bester, oder die Regel, die den Entwurf entfernt hat</translation>
    </message>
    <message>
        <source>Needs</source>
        <translation>Bedarf</translation>
    </message>
    <message>
        <source>What a rejected draft would need</source>
        <translation>Was ein abgelehnter Entwurf bräuchte</translation>
    </message>
    <message>
        <source>There is</source>
        <translation>Vorhanden</translation>
    </message>
    <message>
        <source>What the machine has instead</source>
        <translation>Was die Maschine stattdessen hat</translation>
    </message>
    <message>
        <source>%1 (B)</source>
        <translation>%1 (B)</translation>
    </message>
    <message>
        <source>%1 (ns)</source>
        <translation>%1 (ns)</translation>
    </message>
    <message>
        <source>No learned predictor ranks drafts of this kernel: see Model › Draft Ranking</source>
        <translation>Kein gelernter Prädiktor ordnet Entwürfe dieses Kernels: siehe Modell › Rangfolge der Entwürfe</translation>
    </message>
    <message>
        <source>%1 ns by the learned predictor, %2 ns by the formula</source>
        <translation>%1 ns nach dem gelernten Prädiktor, %2 ns nach der Formel</translation>
    </message>
    <message>
        <source>Learned</source>
        <translation>Gelernt</translation>
    </message>
    <message>
        <source>All parts, as the learned predictor sees them; – where none ranks such kernels</source>
        <translation>Alle Teile, wie der gelernte Prädiktor sie sieht; –, wo keiner solche Kernels ordnet</translation>
    </message>
</context>
<context>
    <name>pim::views::DraftsView</name>
    <message>
        <source>Use This Draft</source>
        <translation>Diesen Entwurf verwenden</translation>
    </message>
    <message>
        <source>Compiler&apos;s Choice</source>
        <translation>Wahl des Compilers</translation>
    </message>
    <message>
        <source>Compare as A</source>
        <translation>Als A vergleichen</translation>
    </message>
    <message>
        <source>Drafts of the selected op</source>
        <translation>Entwürfe der gewählten Op</translation>
    </message>
    <message>
        <source>How predicted and simulated figures are told apart</source>
        <translation>Wie vorhergesagte und simulierte Zahlen unterschieden werden</translation>
    </message>
    <message>
        <source>Why the selected draft is slower, faster, or rejected</source>
        <translation>Warum der gewählte Entwurf langsamer, schneller oder abgelehnt ist</translation>
    </message>
    <message>
        <source>Filter: total&lt;10us groups&gt;=4 b+1</source>
        <translation>Filter: total&lt;10us groups&gt;=4 b+1</translation>
    </message>
    <message>
        <source>Filter of the drafts</source>
        <translation>Filter der Entwürfe</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnte</translation>
    </message>
    <message>
        <source>Also list drafts that were rejected, greyed, with the rule and what they lack: examples of every rule</source>
        <translation>Auch abgelehnte Entwürfe auflisten, grau, mit der Regel und dem, was ihnen fehlt: Beispiele zu jeder Regel</translation>
    </message>
    <message>
        <source>Show rejected drafts</source>
        <translation>Abgelehnte Entwürfe zeigen</translation>
    </message>
    <message>
        <source>Table of drafts</source>
        <translation>Tabelle der Entwürfe</translation>
    </message>
    <message>
        <source>Make the selected draft the one the compiler must use for this op (undoable)</source>
        <translation>Den gewählten Entwurf zu dem machen, den der Compiler für diese Op verwenden muss (rückgängig zu machen)</translation>
    </message>
    <message>
        <source>Drop the override and let the compiler choose again</source>
        <translation>Die Vorgabe fallen lassen und den Compiler wieder wählen lassen</translation>
    </message>
    <message>
        <source>Keep the selected draft as A: panels Compare and Tiles compare any draft you select with it</source>
        <translation>Den gewählten Entwurf als A behalten: Die Panels „Vergleich“ und „Tiles“ vergleichen jeden gewählten Entwurf mit ihm</translation>
    </message>
    <message>
        <source>Simulate to Confirm</source>
        <translation>Simulieren</translation>
    </message>
    <message>
        <source>Run the commands of the selected draft on the simulator, to confirm the prediction</source>
        <translation>Die Befehle des gewählten Entwurfs auf dem Simulator ausführen, um die Vorhersage zu bestätigen</translation>
    </message>
    <message>
        <source>Simulate the %1 Best Predicted</source>
        <translation>Die %1 laut Vorhersage besten simulieren</translation>
    </message>
    <message>
        <source>Simulate the Pareto Front</source>
        <translation>Die Pareto-Front simulieren</translation>
    </message>
    <message>
        <source>No drafts to show</source>
        <translation>Keine Entwürfe zu zeigen</translation>
    </message>
    <message>
        <source>Select an op in the graph to see its drafts</source>
        <translation>Wählen Sie eine Op im Graphen, um ihre Entwürfe zu sehen</translation>
    </message>
    <message>
        <source>%1 on average for such kernels on this machine</source>
        <translation>%1 im Mittel für solche Kernel auf dieser Maschine</translation>
    </message>
    <message>
        <source>none known for such kernels on this machine</source>
        <translation>keiner bekannt für solche Kernel auf dieser Maschine</translation>
    </message>
    <message>
        <source>&lt;i&gt;≈ slanted&lt;/i&gt;: predicted; error %1%2. Upright: simulated (%3 of these drafts).</source>
        <translation>&lt;i&gt;≈ kursiv&lt;/i&gt;: vorhergesagt; Fehler %1%2. Aufrecht: simuliert (%3 dieser Entwürfe).</translation>
    </message>
    <message>
        <source>; in this window %1</source>
        <translation>; in diesem Fenster %1</translation>
    </message>
    <message>
        <source>Measured when the predictor of this machine was trained: by formula %1, by the learned predictor %2, over %3 drafts of sizes it had not seen; without the host&apos;s memory</source>
        <translation>Gemessen, als der Prädiktor dieser Maschine trainiert wurde: nach Formel %1, nach dem gelernten Prädiktor %2, über %3 Entwürfe von Größen, die er nicht gesehen hatte; ohne den Speicher des Hosts</translation>
    </message>
    <message>
        <source>Cancel Simulation</source>
        <translation>Simulation abbrechen</translation>
    </message>
    <message>
        <source>Dimension sets: %1</source>
        <translation>Dimensionsmengen: %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 drafts enumerated, %2 kept, in %3</source>
        <translation>%1 Entwürfe aufgezählt, %2 behalten, in %3</translation>
    </message>
    <message>
        <source>; removed: %1</source>
        <translation>; entfernt: %1</translation>
    </message>
    <message>
        <source>; rule 2 not applied: no draft meets it</source>
        <translation>; Regel 2 nicht angewandt: kein Entwurf erfüllt sie</translation>
    </message>
    <message>
        <source>; list truncated</source>
        <translation>; Liste gekürzt</translation>
    </message>
    <message>
        <source>Looking up why it was rejected…</source>
        <translation>Es wird nachgesehen, warum er abgelehnt wurde…</translation>
    </message>
    <message>
        <source>It could not be simulated: %1</source>
        <translation>Er konnte nicht simuliert werden: %1</translation>
    </message>
    <message>
        <source>Looking up why a draft was rejected</source>
        <translation>Es wird nachgesehen, warum ein Entwurf abgelehnt wurde</translation>
    </message>
    <message>
        <source>The rules in force would keep it</source>
        <translation>Die geltenden Regeln würden ihn behalten</translation>
    </message>
    <message>
        <source>Rejected, %1: %2.</source>
        <translation>Abgelehnt, %1: %2.</translation>
    </message>
    <message>
        <source> Kept instead: %1</source>
        <translation> Stattdessen behalten: %1</translation>
    </message>
    <message>
        <source>Rejected; looking up why was cancelled.</source>
        <translation>Abgelehnt; das Nachsehen, warum, wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Figures: groups, cores, input, compute, output, switch, total, tobest; other words must occur in the draft</source>
        <translation>Zahlen: groups, cores, input, compute, output, switch, total, tobest; andere Wörter müssen im Entwurf vorkommen</translation>
    </message>
    <message>
        <source>No predictor was trained for this machine and kind of kernel: Model › Train a Predictor makes one</source>
        <translation>Für diese Maschine und Art von Kernel wurde kein Prädiktor trainiert: Modell › Prädiktor trainieren macht einen</translation>
    </message>
    <message>
        <source>place %1 of %2</source>
        <translation>Platz %1 von %2</translation>
    </message>
    <message>
        <source>By formula %1, %2; learned %3, %4.</source>
        <translation>Nach Formel %1, %2; gelernt %3, %4.</translation>
    </message>
    <message>
        <source> The kernel lies outside what the predictor has learned: %1.</source>
        <translation> Der Kernel liegt außerhalb dessen, was der Prädiktor gelernt hat: %1.</translation>
    </message>
</context>
<context>
    <name>pim::views::DramPimPanels</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Memory Layout</source>
        <translation>Speicherlayout</translation>
    </message>
</context>
<context>
    <name>pim::views::DualModeFigureWords</name>
    <message>
        <source>C</source>
        <translation>R</translation>
    </message>
    <message>
        <source>computes</source>
        <translation>rechnet</translation>
    </message>
    <message>
        <source>M</source>
        <translation>S</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>computes for this op</source>
        <translation>rechnet für diese Op</translation>
    </message>
    <message>
        <source>memory of this op</source>
        <translation>Speicher dieser Op</translation>
    </message>
    <message>
        <source>Select an op to see its arrays</source>
        <translation>Wählen Sie eine Op, um ihre Arrays zu sehen</translation>
    </message>
    <message>
        <source>The selected op uses no arrays</source>
        <translation>Die gewählte Op verwendet keine Arrays</translation>
    </message>
    <message>
        <source>Arrays of the op</source>
        <translation>Arrays der Op</translation>
    </message>
    <message>
        <source>what each array does for the selected op</source>
        <translation>was jedes Array für die gewählte Op tut</translation>
    </message>
    <message>
        <source>Time computing</source>
        <translation>Rechenzeit</translation>
    </message>
    <message>
        <source>time each array computes in one run of the network, predicted</source>
        <translation>Zeit, die jedes Array in einem Lauf des Netzes rechnet, vorhergesagt</translation>
    </message>
    <message>
        <source>Time as memory</source>
        <translation>Zeit als Speicher</translation>
    </message>
    <message>
        <source>time each array is memory in one run of the network, predicted</source>
        <translation>Zeit, die jedes Array in einem Lauf des Netzes Speicher ist, vorhergesagt</translation>
    </message>
    <message>
        <source>Busy time</source>
        <translation>Arbeitszeit</translation>
    </message>
    <message>
        <source>time each one works in one run of the network, predicted</source>
        <translation>Zeit, die jedes in einem Lauf des Netzes arbeitet, vorhergesagt</translation>
    </message>
</context>
<context>
    <name>pim::views::DualModePanels</name>
    <message>
        <source>segment %1</source>
        <translation>Segment %1</translation>
    </message>
    <message>
        <source>beside the arrays</source>
        <translation>neben den Arrays</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source>Array Counts</source>
        <translation>Array-Anzahlen</translation>
    </message>
    <message>
        <source>Why These Se&amp;gments</source>
        <translation>Warum diese Se&amp;gmente</translation>
    </message>
    <message>
        <source>Why these segments? Segments, timeline, array counts</source>
        <translation>Warum diese Segmente? Segmente, Zeitleiste, Array-Anzahlen</translation>
    </message>
    <message>
        <source>Finds the matrix operators and cuts them to the size of the arrays</source>
        <translation>Findet die Matrixoperatoren und zerlegt sie auf die Größe der Arrays</translation>
    </message>
    <message>
        <source>Cuts the network into segments and gives each arrays that compute and arrays that store</source>
        <translation>Zerlegt das Netz in Segmente und gibt jedem Arrays, die rechnen, und Arrays, die speichern</translation>
    </message>
    <message>
        <source>Memory share</source>
        <translation>Speicheranteil</translation>
    </message>
    <message>
        <source>memory arrays, %</source>
        <translation>Speicher-Arrays, %</translation>
    </message>
    <message>
        <source>Arrays and segments</source>
        <translation>Arrays und Segmente</translation>
    </message>
</context>
<context>
    <name>pim::views::EffectPage</name>
    <message>
        <source>Sensitivity of each axis</source>
        <translation>Empfindlichkeit jeder Achse</translation>
    </message>
    <message>
        <source>What the bars say</source>
        <translation>Was die Balken sagen</translation>
    </message>
    <message>
        <source>Figure that is moved</source>
        <translation>Bewegte Kennzahl</translation>
    </message>
    <message>
        <source>The figure whose variance is shared out</source>
        <translation>Die Kennzahl, deren Varianz aufgeteilt wird</translation>
    </message>
    <message>
        <source>Bars of all axes</source>
        <translation>Balken aller Achsen</translation>
    </message>
    <message>
        <source>Main effect: variance of means over all variance; n = %1</source>
        <translation>Haupteffekt: Varianz der Mittelwerte durch gesamte Varianz; n = %1</translation>
    </message>
    <message>
        <source>%1 is the same for all %2 points</source>
        <translation>%1 ist für alle %2 Punkte gleich</translation>
    </message>
    <message>
        <source>, all: first-order Sobol index, interactions have the other %1</source>
        <translation>, alle: Sobol-Index erster Ordnung, Wechselwirkungen haben die übrigen %1</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
    <message>
        <source>, %1 without a result left out</source>
        <translation>, %1 ohne Ergebnis ausgelassen</translation>
    </message>
    <message>
        <source>Share of the variance of the figure that lies between the means of an axis&apos; values, each weighted by its points (correlation ratio). Where every combination is there, it is the first-order Sobol index, and what all shares lack to 100 % is what axes do only together. Points that are a part of all, or that a search chose, are not evenly spread: an axis may then seem to do what another does that changed with it.</source>
        <translation>Anteil der Varianz der Kennzahl, der zwischen den Mittelwerten der Werte einer Achse liegt, jeder nach seinen Punkten gewichtet (Korrelationsverhältnis). Wo jede Kombination da ist, ist er der Sobol-Index erster Ordnung, und was allen Anteilen zu 100 % fehlt, bewirken Achsen nur gemeinsam. Punkte, die ein Teil von allen sind oder die eine Suche gewählt hat, sind nicht gleichmäßig verteilt: Eine Achse scheint dann zu bewirken, was eine andere tut, die sich mit ihr geändert hat.</translation>
    </message>
    <message>
        <source>mean of %1</source>
        <translation>Mittel von %1</translation>
    </message>
</context>
<context>
    <name>pim::views::EffectPlot</name>
    <message>
        <source>How much each axis moves the figure</source>
        <translation>Wie stark jede Achse die Kennzahl bewegt</translation>
    </message>
    <message>
        <source>Up and down choose an axis; its values are drawn beside the bars</source>
        <translation>Auf und Ab wählen eine Achse; ihre Werte sind neben den Balken gezeichnet</translation>
    </message>
    <message>
        <source>%1, range %2</source>
        <translation>%1, Spanne %2</translation>
    </message>
    <message>
        <source>dashed: what an axis without effect would have by chance</source>
        <translation>gestrichelt: was eine Achse ohne Wirkung durch Zufall hätte</translation>
    </message>
    <message>
        <source>%1 over %2: mean, deviation, least and most</source>
        <translation>%1 über %2: Mittel, Abweichung, kleinster und größter Wert</translation>
    </message>
    <message>
        <source>Nothing varies yet</source>
        <translation>Noch ändert sich nichts</translation>
    </message>
    <message>
        <source>No point has this figure</source>
        <translation>Kein Punkt hat diese Kennzahl</translation>
    </message>
    <message>
        <source>%1
%2 of the variance of %3 lies between the means of its values.
The means differ by %4.</source>
        <translation>%1
%2 der Varianz von %3 liegen zwischen den Mittelwerten seiner Werte.
Die Mittelwerte unterscheiden sich um %4.</translation>
    </message>
    <message>
        <source>An axis without effect would have %1 by chance, with %2 points.</source>
        <translation>Eine Achse ohne Wirkung hätte bei %2 Punkten durch Zufall %1.</translation>
    </message>
    <message>
        <source>%1 %2: no point with a result</source>
        <translation>%1 %2: kein Punkt mit Ergebnis</translation>
    </message>
    <message numerus="yes">
        <source>%1 %2: %n point(s)
mean %3, deviation %4
%5 to %6</source>
        <translation>
            <numerusform>%1 %2: %n Punkt
Mittel %3, Abweichung %4
%5 bis %6</numerusform>
            <numerusform>%1 %2: %n Punkte
Mittel %3, Abweichung %4
%5 bis %6</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pim::views::EmptyState</name>
    <message>
        <source>What to do next</source>
        <translation>Was als Nächstes zu tun ist</translation>
    </message>
</context>
<context>
    <name>pim::views::FamilyWords</name>
    <message>
        <source>Why This &amp;Draft</source>
        <translation>Warum dieser &amp;Entwurf</translation>
    </message>
    <message>
        <source>Why this draft? Drafts, tiles, hardware</source>
        <translation>Warum dieser Entwurf? Entwürfe, Tiles, Hardware</translation>
    </message>
    <message>
        <source>Parts of the op</source>
        <translation>Teile der Op</translation>
    </message>
</context>
<context>
    <name>pim::views::FilterChips</name>
    <message>
        <source>Show all ops again</source>
        <translation>Wieder alle Ops zeigen</translation>
    </message>
    <message>
        <source>Filters of the views</source>
        <translation>Filter der Ansichten</translation>
    </message>
    <message>
        <source>How many ops the views are limited to</source>
        <translation>Auf wie viele Ops die Ansichten beschränkt sind</translation>
    </message>
    <message>
        <source>Show All</source>
        <translation>Alle zeigen</translation>
    </message>
    <message>
        <source>Remove the filter %1 (Delete)</source>
        <translation>Den Filter %1 entfernen (Entf)</translation>
    </message>
    <message>
        <source>Views show %1 of %2 ops:</source>
        <translation>Ansichten zeigen %1 von %2 Ops:</translation>
    </message>
</context>
<context>
    <name>pim::views::Floorplan</name>
    <message>
        <source>Hardware floorplan</source>
        <translation>Floorplan der Hardware</translation>
    </message>
    <message>
        <source>Drop an op on the host or on a device to place it there; or cut it, choose a place with the arrow keys and paste</source>
        <translation>Eine Op auf dem Host oder einem Gerät ablegen, um sie dort zu platzieren; oder sie ausschneiden, mit den Pfeiltasten einen Platz wählen und einfügen</translation>
    </message>
    <message>
        <source>%1: %2 of memory at %3</source>
        <translation>%1: %2 Speicher zu %3</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>%1, %2 lanes</source>
        <translation>%1, %2 Spuren</translation>
    </message>
    <message>
        <source>bus %1</source>
        <translation>Bus %1</translation>
    </message>
    <message>
        <source>place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>figure</source>
        <translation>Kennzahl</translation>
    </message>
    <message>
        <source>used (B)</source>
        <translation>belegt (B)</translation>
    </message>
    <message>
        <source>free (B)</source>
        <translation>frei (B)</translation>
    </message>
    <message>
        <source>Choose the host or a device with the arrow keys</source>
        <translation>Wählen Sie mit den Pfeiltasten den Host oder ein Gerät</translation>
    </message>
    <message>
        <source>Move over the host or a device</source>
        <translation>Gehen Sie über den Host oder ein Gerät</translation>
    </message>
    <message>
        <source>Choose a target to see its hardware</source>
        <translation>Wählen Sie ein Ziel, um seine Hardware zu sehen</translation>
    </message>
    <message>
        <source>Host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>%1FLOP/s F16</source>
        <translation>%1FLOP/s F16</translation>
    </message>
    <message>
        <source>Memory %1</source>
        <translation>Speicher %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 free</source>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>Nothing planned for this hardware yet</source>
        <translation>Für diese Hardware ist noch nichts geplant</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>not this op&apos;s</source>
        <translation>nicht dieser Op</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>other ops</source>
        <translation>andere Ops</translation>
    </message>
    <message>
        <source>this op</source>
        <translation>diese Op</translation>
    </message>
</context>
<context>
    <name>pim::views::GainPlot</name>
    <message>
        <source>Features by the share of what the trees gained by them</source>
        <translation>Merkmale nach ihrem Anteil an dem, was die Bäume durch sie gewannen</translation>
    </message>
    <message>
        <source>share of the gain</source>
        <translation>Anteil am Gewinn</translation>
    </message>
    <message>
        <source>share of what the trees gained</source>
        <translation>Anteil an dem, was die Bäume gewannen</translation>
    </message>
    <message>
        <source>%1: %2 % of the gain
%3 (%4)</source>
        <translation>%1: %2 % des Gewinns
%3 (%4)</translation>
    </message>
</context>
<context>
    <name>pim::views::GraphCanvas</name>
    <message>
        <source>Model graph</source>
        <translation>Graph des Modells</translation>
    </message>
    <message>
        <source>Arrow keys follow edges, Tab goes to the next op, Enter inspects, F fits the graph</source>
        <translation>Pfeiltasten folgen den Kanten, Tab geht zur nächsten Op, Eingabe inspiziert, F passt den Graphen ein</translation>
    </message>
    <message>
        <source>Unfolded block %1, %2</source>
        <translation>Aufgeklappter Block %1, %2</translation>
    </message>
    <message>
        <source>Folded block %1, %2</source>
        <translation>Zugeklappter Block %1, %2</translation>
    </message>
    <message>
        <source>%1 %2, in folded block %3</source>
        <translation>%1 %2, im zugeklappten Block %3</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2, %3</translation>
    </message>
    <message>
        <source>Folded block %1</source>
        <translation>Zugeklappter Block %1</translation>
    </message>
</context>
<context>
    <name>pim::views::GraphOverlayWords</name>
    <message>
        <source>matrix product</source>
        <translation>Matrixprodukt</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>element-wise</source>
        <translation>elementweise</translation>
    </message>
    <message>
        <source>reduction</source>
        <translation>Reduktion</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>normalisation</source>
        <translation>Normalisierung</translation>
    </message>
    <message>
        <source>pooling</source>
        <translation>Pooling</translation>
    </message>
    <message>
        <source>data movement</source>
        <translation>Datenbewegung</translation>
    </message>
    <message>
        <source>other</source>
        <translation>andere</translation>
    </message>
    <message>
        <source> (simulated)</source>
        <translation> (simuliert)</translation>
    </message>
    <message>
        <source> (predicted)</source>
        <translation> (vorhergesagt)</translation>
    </message>
    <message>
        <source>, log scale</source>
        <translation>, logarithmisch</translation>
    </message>
    <message>
        <source>+ is predicted too long</source>
        <translation>+ ist zu lang vorhergesagt</translation>
    </message>
    <message>
        <source>hatched: %1 without a value</source>
        <translation>schraffiert: %1 ohne Wert</translation>
    </message>
    <message>
        <source>no value known</source>
        <translation>kein Wert bekannt</translation>
    </message>
    <message>
        <source>, %1 to %2</source>
        <translation>, %1 bis %2</translation>
    </message>
    <message>
        <source>%1/%2 %3</source>
        <translation>%1/%2 %3</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>PIM</source>
        <translation>PIM</translation>
    </message>
    <message>
        <source>there is no plan: choose a target</source>
        <translation>es gibt keinen Plan: wählen Sie ein Ziel</translation>
    </message>
    <message>
        <source>not simulated yet</source>
        <translation>noch nicht simuliert</translation>
    </message>
    <message>
        <source>this machine is simulated as a whole, not op by op</source>
        <translation>diese Maschine wird als Ganzes simuliert, nicht Op für Op</translation>
    </message>
    <message>
        <source>it runs on the host, which is not simulated</source>
        <translation>sie läuft auf dem Host, der nicht simuliert wird</translation>
    </message>
    <message>
        <source>the target has no energy figures</source>
        <translation>das Ziel hat keine Energiewerte</translation>
    </message>
    <message>
        <source>its commands were not simulated</source>
        <translation>ihre Befehle wurden nicht simuliert</translation>
    </message>
    <message>
        <source>the work of this kind of op is not known</source>
        <translation>die Arbeit dieser Art von Op ist nicht bekannt</translation>
    </message>
    <message>
        <source>it takes no time</source>
        <translation>sie braucht keine Zeit</translation>
    </message>
    <message>
        <source>%1 MAC</source>
        <translation>%1 MAC</translation>
    </message>
    <message>
        <source>%1 FLOP/B</source>
        <translation>%1 FLOP/B</translation>
    </message>
    <message>
        <source>Kind of op</source>
        <translation>Art der Op</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Bytes moved</source>
        <translation>Bewegte Bytes</translation>
    </message>
    <message>
        <source>Share of rearrangement</source>
        <translation>Anteil der Umordnung</translation>
    </message>
    <message>
        <source>Prediction error</source>
        <translation>Fehler der Vorhersage</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MACs</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>Arithmetische Intensität</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>Host %1</translation>
    </message>
    <message>
        <source>host, cost unknown</source>
        <translation>Host, Kosten unbekannt</translation>
    </message>
</context>
<context>
    <name>pim::views::GraphPicture</name>
    <message>
        <source>%1 ops: %2</source>
        <translation>%1 Ops: %2</translation>
    </message>
    <message>
        <source>%1 · %2 ops</source>
        <translation>%1 · %2 Ops</translation>
    </message>
</context>
<context>
    <name>pim::views::GraphSide</name>
    <message>
        <source>Graph as a tree, and what was found</source>
        <translation>Graph als Baum, und was gefunden wurde</translation>
    </message>
    <message>
        <source>Graph as a tree</source>
        <translation>Graph als Baum</translation>
    </message>
    <message>
        <source>Ops found</source>
        <translation>Gefundene Ops</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Found (%1)</source>
        <translation>Gefunden (%1)</translation>
    </message>
</context>
<context>
    <name>pim::views::GraphTreeModel</name>
    <message>
        <source>%1 ops</source>
        <translation>%1 Ops</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>initialiser</source>
        <translation>Initialisierer</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingang</translation>
    </message>
    <message>
        <source>no op in it has a value</source>
        <translation>keine Op darin hat einen Wert</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
</context>
<context>
    <name>pim::views::GraphView</name>
    <message>
        <source>Limit all views to what was found</source>
        <translation>Alle Ansichten auf das Gefundene beschränken</translation>
    </message>
    <message>
        <source>Turn between top-down and left-right</source>
        <translation>Zwischen von oben nach unten und von links nach rechts wechseln</translation>
    </message>
    <message>
        <source>Tree and list of what was found</source>
        <translation>Baum und Liste des Gefundenen</translation>
    </message>
    <message>
        <source>Model graph with overlay and search</source>
        <translation>Graph des Modells mit Overlay und Suche</translation>
    </message>
    <message>
        <source>No model is open</source>
        <translation>Es ist kein Modell geöffnet</translation>
    </message>
    <message>
        <source>Open an ONNX file, or drop one on the window.</source>
        <translation>Öffnen Sie eine ONNX-Datei oder legen Sie eine im Fenster ab.</translation>
    </message>
    <message>
        <source>Open Model…</source>
        <translation>Modell öffnen…</translation>
    </message>
    <message>
        <source>Find: conv1  type:Conv  shape:64x*  attr:strides=2  placement:pim  cost:&gt;1ms</source>
        <translation>Suchen: conv1  type:Conv  shape:64x*  attr:strides=2  placement:pim  cost:&gt;1ms</translation>
    </message>
    <message>
        <source>Search the graph</source>
        <translation>Den Graphen durchsuchen</translation>
    </message>
    <message>
        <source>Words for the name or the type (* and ? stand for letters), or
name: type: class: block: shape: dtype: attr: placement:
cost: energy: moved: bytes: rearranged: error: macs: ai: with &gt; &gt;= &lt; &lt;= and a unit
A - in front turns a key round: -type:Add
Ctrl+F to search, F3 and Shift+F3 to go through what was found</source>
        <translation>Wörter für den Namen oder Typ (* und ? stehen für Buchstaben), oder
name: type: class: block: shape: dtype: attr: placement:
cost: energy: moved: bytes: rearranged: error: macs: ai: mit &gt; &gt;= &lt; &lt;= und einer Einheit
Ein - davor kehrt einen Schlüssel um: -type:Add
Strg+F sucht, F3 und Umschalt+F3 gehen durch das Gefundene</translation>
    </message>
    <message>
        <source>Number of ops found</source>
        <translation>Zahl der gefundenen Ops</translation>
    </message>
    <message>
        <source>What is wrong with the search</source>
        <translation>Was an der Suche nicht stimmt</translation>
    </message>
    <message>
        <source>What the model lacks</source>
        <translation>Was dem Modell fehlt</translation>
    </message>
    <message>
        <source>Overlays</source>
        <translation>Overlays</translation>
    </message>
    <message>
        <source>Colour of the ops</source>
        <translation>Farbe der Ops</translation>
    </message>
    <message>
        <source>What the colour of a box says</source>
        <translation>Was die Farbe eines Kastens sagt</translation>
    </message>
    <message>
        <source>log</source>
        <translation>log</translation>
    </message>
    <message>
        <source>Logarithmic colour scale</source>
        <translation>Logarithmische Farbskala</translation>
    </message>
    <message>
        <source>Previous op found</source>
        <translation>Vorige gefundene Op</translation>
    </message>
    <message>
        <source>Next op found</source>
        <translation>Nächste gefundene Op</translation>
    </message>
    <message>
        <source>Fit the whole graph</source>
        <translation>Den ganzen Graphen einpassen</translation>
    </message>
    <message>
        <source>Zoom to the selected op</source>
        <translation>Auf die gewählte Op zoomen</translation>
    </message>
    <message>
        <source>What is shown of the ops, folding</source>
        <translation>Was von den Ops gezeigt wird, Klappen</translation>
    </message>
    <message>
        <source>Names</source>
        <translation>Namen</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>Initialisers</source>
        <translation>Initialisierer</translation>
    </message>
    <message>
        <source>Fold All Blocks</source>
        <translation>Alle Blöcke zuklappen</translation>
    </message>
    <message>
        <source>Unfold All Blocks</source>
        <translation>Alle Blöcke aufklappen</translation>
    </message>
    <message>
        <source>the simulation of this plan is not there yet</source>
        <translation>die Simulation dieses Plans ist noch nicht da</translation>
    </message>
    <message>
        <source>%1: choose a target first</source>
        <translation>%1: wählen Sie zuerst ein Ziel</translation>
    </message>
    <message>
        <source>%1, being recomputed</source>
        <translation>%1, wird neu berechnet</translation>
    </message>
    <message>
        <source>1 weight not included</source>
        <translation>1 Gewicht nicht enthalten</translation>
    </message>
    <message>
        <source>%1 weights not included</source>
        <translation>%1 Gewichte nicht enthalten</translation>
    </message>
    <message>
        <source>1 op of unknown cost</source>
        <translation>1 Op mit unbekannten Kosten</translation>
    </message>
    <message>
        <source>%1 ops of unknown cost</source>
        <translation>%1 Ops mit unbekannten Kosten</translation>
    </message>
    <message>
        <source>Placement and timing need no weights, checks of numbers do. Ops of unknown cost run on the host.
A sign on a box tells which it is: ! weights not included, ? cost unknown.</source>
        <translation>Platzierung und Zeiten brauchen keine Gewichte, Prüfungen von Zahlen schon. Ops mit unbekannten Kosten laufen auf dem Host.
Ein Zeichen am Kasten sagt, was es ist: ! Gewichte nicht enthalten, ? Kosten unbekannt.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>nichts</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n gefunden</numerusform>
            <numerusform>%n gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>%1 MAC</source>
        <translation>%1 MAC</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>%1 read, %2 written</source>
        <translation>%1 gelesen, %2 geschrieben</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>Intensität</translation>
    </message>
    <message>
        <source>%1 FLOP/B</source>
        <translation>%1 FLOP/B</translation>
    </message>
    <message>
        <source>not known; runs on the host and is counted as 0</source>
        <translation>nicht bekannt; läuft auf dem Host und zählt als 0</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>, chosen by you</source>
        <translation>, von Ihnen gewählt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>none: %1</source>
        <translation>keine: %1</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>In it</source>
        <translation>Darin</translation>
    </message>
    <message>
        <source>%1 of %2 on %3</source>
        <translation>%1 von %2 auf %3</translation>
    </message>
    <message>
        <source>%1, sum of the ops (%2)</source>
        <translation>%1, Summe der Ops (%2)</translation>
    </message>
    <message>
        <source>Double click or + unfolds it</source>
        <translation>Doppelklick oder + klappt ihn auf</translation>
    </message>
    <message>
        <source>&lt;br&gt;and 1 more tensor</source>
        <translation>&lt;br&gt;und 1 weiterer Tensor</translation>
    </message>
    <message>
        <source>&lt;br&gt;and %1 more tensors</source>
        <translation>&lt;br&gt;und %1 weitere Tensoren</translation>
    </message>
    <message>
        <source>%1 (%2 B)</source>
        <translation>%1 (%2 B)</translation>
    </message>
    <message>
        <source>size not known</source>
        <translation>Größe nicht bekannt</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>Inspizieren</translation>
    </message>
    <message>
        <source>Zoom to Selection</source>
        <translation>Auf Auswahl zoomen</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Aufklappen</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Zuklappen</translation>
    </message>
    <message>
        <source>Zoom to Block</source>
        <translation>Auf Block zoomen</translation>
    </message>
    <message>
        <source>Fit Graph</source>
        <translation>Graph einpassen</translation>
    </message>
    <message>
        <source>the simulation is running</source>
        <translation>die Simulation läuft</translation>
    </message>
</context>
<context>
    <name>pim::views::GridCanvas</name>
    <message>
        <source>%1 %2, %3 %4</source>
        <translation>%1 %2, %3 %4</translation>
    </message>
</context>
<context>
    <name>pim::views::HardwareTree</name>
    <message>
        <source>Parts of the machine</source>
        <translation>Teile der Maschine</translation>
    </message>
    <message>
        <source>Copy Shown Rows</source>
        <translation>Gezeigte Zeilen kopieren</translation>
    </message>
    <message>
        <source>Collapse All</source>
        <translation>Alle zuklappen</translation>
    </message>
</context>
<context>
    <name>pim::views::HardwareTreeModel</name>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>≤ %1</source>
        <translation>≤ %1</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>%1 B; %2</source>
        <translation>%1 B; %2</translation>
    </message>
    <message>
        <source>Every part of the machine</source>
        <translation>Jeder Teil der Maschine</translation>
    </message>
    <message>
        <source>Memory taken by ops on PIM; the bar shows other ops, then the selected one</source>
        <translation>Speicher, den Ops auf PIM belegen; der Balken zeigt andere Ops, dann die gewählte</translation>
    </message>
    <message>
        <source>Free memory</source>
        <translation>Freier Speicher</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Verwendet</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Frei</translation>
    </message>
</context>
<context>
    <name>pim::views::HardwareView</name>
    <message>
        <source>%1 is being planned; wait a moment</source>
        <translation>%1 wird geplant; einen Moment</translation>
    </message>
    <message>
        <source>Select the op whose dimension this is</source>
        <translation>Wählen Sie die Op, zu der diese Dimension gehört</translation>
    </message>
    <message>
        <source>A dimension can only be split over groups and cores of the device</source>
        <translation>Eine Dimension lässt sich nur über Gruppen und Kerne des Geräts aufteilen</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is on %2 by your decision already</source>
        <translation>„%1“ ist durch Ihre Entscheidung schon auf %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is on %2 already; dropping it keeps it there</source>
        <translation>„%1“ ist schon auf %2; Ablegen hält sie dort fest</translation>
    </message>
    <message>
        <source>Place &quot;%1&quot; on %2</source>
        <translation>„%1“ auf %2 platzieren</translation>
    </message>
    <message>
        <source>Place &quot;%1&quot; on %2: %3 instead of %4 (predicted)</source>
        <translation>„%1“ auf %2 platzieren: %3 statt %4 (vorhergesagt)</translation>
    </message>
    <message>
        <source>takes %1 of each %2, %3 of %4 stay free</source>
        <translation>nimmt %1 von jedem %2, %3 von %4 bleiben frei</translation>
    </message>
    <message>
        <source>gives back %1 of each %2, %3 of %4 become free</source>
        <translation>gibt %1 von jedem %2 zurück, %3 von %4 werden frei</translation>
    </message>
    <message>
        <source>Split %1 over %2 of %3 %4 instead of %5</source>
        <translation>%1 über %2 von %3 %4 aufteilen statt über %5</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>cores of a group</source>
        <translation>Kerne einer Gruppe</translation>
    </message>
    <message>
        <source>a core gets %1</source>
        <translation>ein Kern bekommt %1</translation>
    </message>
    <message>
        <source>%1 of the %2 of a %3</source>
        <translation>%1 von den %2 eines %3</translation>
    </message>
    <message>
        <source>%1 (predicted, the op alone)</source>
        <translation>%1 (vorhergesagt, die Op allein)</translation>
    </message>
    <message>
        <source>Nothing to do here</source>
        <translation>Hier ist nichts zu tun</translation>
    </message>
    <message>
        <source> (free now: %1 of %2 in each %3)</source>
        <translation> (jetzt frei: %1 von %2 in jedem %3)</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Show parts of the machine as a tree</source>
        <translation>Teile der Maschine als Baum zeigen</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>Hardware</translation>
    </message>
    <message>
        <source>Values of a dimension</source>
        <translation>Werte einer Dimension</translation>
    </message>
    <message>
        <source>Colour of the cores</source>
        <translation>Farbe der Kerne</translation>
    </message>
    <message>
        <source>What the colour of the cores means</source>
        <translation>Was die Farbe der Kerne bedeutet</translation>
    </message>
    <message>
        <source>Show the whole machine (F)</source>
        <translation>Die ganze Maschine zeigen (F)</translation>
    </message>
    <message>
        <source>Which machine of the plan is shown</source>
        <translation>Welche Maschine des Plans gezeigt wird</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>No target chosen</source>
        <translation>Kein Ziel gewählt</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1 ops here</source>
        <translation>%1 Ops hier</translation>
    </message>
    <message>
        <source>Work of each core</source>
        <translation>Arbeit jedes Kerns</translation>
    </message>
    <message>
        <source>Drag an op or a dimension onto the picture, or cut it (%1), choose a place with the arrow keys and paste (%2).</source>
        <translation>Eine Op oder Dimension auf das Bild ziehen, oder sie ausschneiden (%1), mit den Pfeiltasten einen Platz wählen und einfügen (%2).</translation>
    </message>
    <message>
        <source>No op is selected, so there is nothing to cut</source>
        <translation>Es ist keine Op gewählt, also gibt es nichts auszuschneiden</translation>
    </message>
    <message>
        <source>Select an op in the graph or a table first.</source>
        <translation>Wählen Sie zuerst eine Op im Graphen oder in einer Tabelle.</translation>
    </message>
</context>
<context>
    <name>pim::views::Heatmap</name>
    <message>
        <source>Arrow keys move over cores, Enter chooses one, Home shows all</source>
        <translation>Pfeiltasten gehen über Kerne, Eingabe wählt einen, Pos1 zeigt alle</translation>
    </message>
    <message>
        <source>core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Byte</translation>
    </message>
    <message>
        <source>group %1, core %2</source>
        <translation>Gruppe %1, Kern %2</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>kein Wert</translation>
    </message>
</context>
<context>
    <name>pim::views::HelpsView</name>
    <message>
        <source>Against the run as it is</source>
        <translation>Gegenüber dem Lauf, wie er ist</translation>
    </message>
    <message>
        <source>What If</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message>
        <source>What is made faster, or more, all else as it is</source>
        <translation>Was schneller oder mehr wird, alles andere wie gehabt</translation>
    </message>
    <message>
        <source>Twice as</source>
        <translation>Doppelt so</translation>
    </message>
    <message>
        <source>Planned anew for the changed machine, with the same options and decisions</source>
        <translation>Neu geplant für die geänderte Maschine, mit denselben Optionen und Entscheidungen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Simulated time with it twice as fast, or twice as many of it</source>
        <translation>Simulierte Zeit, wenn es doppelt so schnell ist oder es doppelt so viele davon gibt</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Am schnellsten</translation>
    </message>
    <message>
        <source>Simulated time with it as fast as its machine may be, at most 1000 times</source>
        <translation>Simulierte Zeit, wenn es so schnell ist, wie seine Maschine sein darf, höchstens 1000-mal</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Of the machine, now and then</source>
        <translation>Der Maschine, jetzt und dann</translation>
    </message>
    <message>
        <source>What Would &amp;Help?</source>
        <translation>Was &amp;würde helfen?</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>Was helfen würde</translation>
    </message>
    <message>
        <source>Each resource faster or more, what helps most on top</source>
        <translation>Jede Ressource schneller oder mehr, was am meisten hilft zuoberst</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>Simulating …</source>
        <translation>Wird simuliert …</translation>
    </message>
    <message>
        <source>Asking what would help</source>
        <translation>Es wird gefragt, was helfen würde</translation>
    </message>
    <message>
        <source>many</source>
        <translation>viele</translation>
    </message>
    <message>
        <source>fast</source>
        <translation>schnell</translation>
    </message>
    <message>
        <source>As it is, no order of the same work on the same units takes less than %1: %2 is busy that long.</source>
        <translation>So wie es ist, braucht keine Reihenfolge derselben Arbeit auf denselben Einheiten weniger als %1: So lange ist %2 belegt.</translation>
    </message>
    <message>
        <source>Each was planned again with the same options and decisions, and simulated.</source>
        <translation>Jede wurde mit denselben Optionen und Entscheidungen neu geplant und simuliert.</translation>
    </message>
</context>
<context>
    <name>pim::views::HistoryView</name>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Current position in the history</source>
        <translation>Aktuelle Stelle im Verlauf</translation>
    </message>
    <message>
        <source>History of your decisions</source>
        <translation>Verlauf Ihrer Entscheidungen</translation>
    </message>
    <message>
        <source>As opened</source>
        <translation>Wie geöffnet</translation>
    </message>
    <message>
        <source>Click a step to go there (Ctrl+Z back, Ctrl+Shift+Z forward). The disk icon marks the saved state.</source>
        <translation>Ein Klick auf einen Schritt geht dorthin (Strg+Z zurück, Strg+Umschalt+Z vor). Das Diskettensymbol markiert den gespeicherten Stand.</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gespeichert</translation>
    </message>
    <message>
        <source>being saved</source>
        <translation>wird gespeichert</translation>
    </message>
    <message>
        <source>in no project yet</source>
        <translation>noch in keinem Projekt</translation>
    </message>
    <message>
        <source>No decisions since the model was opened</source>
        <translation>Keine Entscheidungen, seit das Modell geöffnet wurde</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
</context>
<context>
    <name>pim::views::HitsModel</name>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Auf</translation>
    </message>
</context>
<context>
    <name>pim::views::InspectorView</name>
    <message>
        <source>Selected op</source>
        <translation>Gewählte Op</translation>
    </message>
    <message>
        <source>Placement and time</source>
        <translation>Platzierung und Zeit</translation>
    </message>
    <message>
        <source>Work and tensors</source>
        <translation>Arbeit und Tensoren</translation>
    </message>
    <message>
        <source>Op inspector</source>
        <translation>Inspektor der Op</translation>
    </message>
    <message>
        <source>Overview of the selected op</source>
        <translation>Überblick über die gewählte Op</translation>
    </message>
    <message>
        <source>No op selected</source>
        <translation>Keine Op gewählt</translation>
    </message>
    <message>
        <source>Click an op in the graph, the breakdown or a table.</source>
        <translation>Klicken Sie auf eine Op im Graphen, in der Aufschlüsselung oder einer Tabelle.</translation>
    </message>
    <message>
        <source>Copy Name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Not planned yet.</source>
        <translation>Noch nicht geplant.</translation>
    </message>
    <message>
        <source>out </source>
        <translation>aus </translation>
    </message>
</context>
<context>
    <name>pim::views::KeysCard</name>
    <message>
        <source>Keys and mouse of the timeline</source>
        <translation>Tasten und Maus der Zeitleiste</translation>
    </message>
    <message>
        <source>&lt;b&gt;W&lt;/b&gt; &lt;b&gt;S&lt;/b&gt;, Ctrl+wheel</source>
        <translation>&lt;b&gt;W&lt;/b&gt; &lt;b&gt;S&lt;/b&gt;, Strg+Rad</translation>
    </message>
    <message>
        <source>zoom in time</source>
        <translation>in der Zeit zoomen</translation>
    </message>
    <message>
        <source>&lt;b&gt;A&lt;/b&gt; &lt;b&gt;D&lt;/b&gt;, drag, Shift+wheel</source>
        <translation>&lt;b&gt;A&lt;/b&gt; &lt;b&gt;D&lt;/b&gt;, Ziehen, Umschalt+Rad</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>schieben</translation>
    </message>
    <message>
        <source>&lt;b&gt;F&lt;/b&gt;, &lt;b&gt;Home&lt;/b&gt;, &lt;b&gt;End&lt;/b&gt;</source>
        <translation>&lt;b&gt;F&lt;/b&gt;, &lt;b&gt;Pos1&lt;/b&gt;, &lt;b&gt;Ende&lt;/b&gt;</translation>
    </message>
    <message>
        <source>show all, the beginning, the end</source>
        <translation>alles, den Anfang, das Ende zeigen</translation>
    </message>
    <message>
        <source>&lt;b&gt;Z&lt;/b&gt;, double click</source>
        <translation>&lt;b&gt;Z&lt;/b&gt;, Doppelklick</translation>
    </message>
    <message>
        <source>zoom to the area or the current %1</source>
        <translation>auf den Bereich oder %1 unter den Tasten zoomen</translation>
    </message>
    <message>
        <source>&lt;b&gt;.&lt;/b&gt; &lt;b&gt;,&lt;/b&gt; and arrows</source>
        <translation>&lt;b&gt;.&lt;/b&gt; &lt;b&gt;,&lt;/b&gt; und Pfeile</translation>
    </message>
    <message>
        <source>next %1, previous one, other %2</source>
        <translation>nächster und voriger %1, andere %2</translation>
    </message>
    <message>
        <source>&lt;b&gt;N&lt;/b&gt;, &lt;b&gt;Shift+N&lt;/b&gt;</source>
        <translation>&lt;b&gt;N&lt;/b&gt;, &lt;b&gt;Umschalt+N&lt;/b&gt;</translation>
    </message>
    <message>
        <source>next and previous %1</source>
        <translation>nächster und voriger %1</translation>
    </message>
    <message>
        <source>&lt;b&gt;Enter&lt;/b&gt;, click</source>
        <translation>&lt;b&gt;Eingabe&lt;/b&gt;, Klick</translation>
    </message>
    <message>
        <source>select what a %1 belongs to</source>
        <translation>wählen, wozu ein %1 gehört</translation>
    </message>
    <message>
        <source>&lt;b&gt;Shift+drag&lt;/b&gt;, Shift+arrows</source>
        <translation>&lt;b&gt;Umschalt+Ziehen&lt;/b&gt;, Umschalt+Pfeile</translation>
    </message>
    <message>
        <source>measure: figures of an area</source>
        <translation>messen: Zahlen eines Bereichs</translation>
    </message>
    <message>
        <source>&lt;b&gt;M&lt;/b&gt;</source>
        <translation>&lt;b&gt;M&lt;/b&gt;</translation>
    </message>
    <message>
        <source>note on the area or the current %1</source>
        <translation>Notiz zum Bereich oder zum aktuellen %1</translation>
    </message>
    <message>
        <source>wheel, Alt+wheel</source>
        <translation>Rad, Alt+Rad</translation>
    </message>
    <message>
        <source>scroll and zoom the %1</source>
        <translation>%1 rollen und zoomen</translation>
    </message>
    <message>
        <source>&lt;b&gt;P&lt;/b&gt;</source>
        <translation>&lt;b&gt;P&lt;/b&gt;</translation>
    </message>
    <message>
        <source>pin to the top, and back</source>
        <translation>oben anheften, und zurück</translation>
    </message>
    <message>
        <source>&lt;b&gt;Alt+Up&lt;/b&gt; &lt;b&gt;Alt+Down&lt;/b&gt;, drag a name</source>
        <translation>&lt;b&gt;Alt+Auf&lt;/b&gt; &lt;b&gt;Alt+Ab&lt;/b&gt;, einen Namen ziehen</translation>
    </message>
    <message>
        <source>move among its %1; with Shift, the group</source>
        <translation>unter %1 verschieben; mit Umschalt die Gruppe</translation>
    </message>
    <message>
        <source>&lt;b&gt;/&lt;/b&gt;</source>
        <translation>&lt;b&gt;/&lt;/b&gt;</translation>
    </message>
    <message>
        <source>filter the %1 by name</source>
        <translation>%1 nach Namen filtern</translation>
    </message>
    <message>
        <source>&lt;b&gt;E&lt;/b&gt;, click on a heading</source>
        <translation>&lt;b&gt;E&lt;/b&gt;, Klick auf eine Überschrift</translation>
    </message>
    <message>
        <source>fold and unfold</source>
        <translation>zu- und aufklappen</translation>
    </message>
    <message>
        <source>&lt;b&gt;Esc&lt;/b&gt;</source>
        <translation>&lt;b&gt;Esc&lt;/b&gt;</translation>
    </message>
    <message>
        <source>drop the area, then the selection</source>
        <translation>den Bereich, dann die Auswahl aufheben</translation>
    </message>
    <message>
        <source>&lt;b&gt;C&lt;/b&gt;, &lt;b&gt;[&lt;/b&gt; &lt;b&gt;]&lt;/b&gt;</source>
        <translation>&lt;b&gt;C&lt;/b&gt;, &lt;b&gt;[&lt;/b&gt; &lt;b&gt;]&lt;/b&gt;</translation>
    </message>
    <message>
        <source>critical path, and along it</source>
        <translation>kritischer Pfad, und an ihm entlang</translation>
    </message>
    <message>
        <source>Keys and mouse</source>
        <translation>Tasten und Maus</translation>
    </message>
    <message>
        <source>Keys and mouse (?)</source>
        <translation>Tasten und Maus (?)</translation>
    </message>
</context>
<context>
    <name>pim::views::KnownDrafts</name>
    <message>
        <source>Reading known drafts</source>
        <translation>Bekannte Entwürfe werden gelesen</translation>
    </message>
    <message>
        <source>Save the project first: known drafts are kept in it.</source>
        <translation>Speichern Sie zuerst das Projekt: Bekannte Entwürfe werden darin behalten.</translation>
    </message>
    <message>
        <source>The project is read-only here: its drafts can be cleared only where it is open for writing.</source>
        <translation>Das Projekt ist hier schreibgeschützt: Seine Entwürfe können nur dort gelöscht werden, wo es zum Schreiben geöffnet ist.</translation>
    </message>
</context>
<context>
    <name>pim::views::LayoutView</name>
    <message>
        <source>Operator whose tensors are shown</source>
        <translation>Operator, dessen Tensoren gezeigt werden</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Colour of the tensor</source>
        <translation>Farbe des Tensors</translation>
    </message>
    <message>
        <source>Colour of the banks</source>
        <translation>Farbe der Bänke</translation>
    </message>
    <message>
        <source>Tensor, element by element</source>
        <translation>Tensor, Element für Element</translation>
    </message>
    <message>
        <source>Banks, row by row</source>
        <translation>Bänke, Zeile für Zeile</translation>
    </message>
    <message>
        <source>Layout in memory</source>
        <translation>Layout im Speicher</translation>
    </message>
    <message>
        <source>What is under the pointer</source>
        <translation>Was unter dem Zeiger liegt</translation>
    </message>
    <message>
        <source>No layout to show</source>
        <translation>Kein Layout zu zeigen</translation>
    </message>
    <message>
        <source>Choose an operator that runs on PIM; where its tensors lie appears here.</source>
        <translation>Wählen Sie einen Operator, der auf PIM läuft; hier erscheint, wo seine Tensoren liegen.</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Index of the element</source>
        <translation>Index des Elements</translation>
    </message>
    <message>
        <source>Index of the element, one number per dimension: 3, 5</source>
        <translation>Index des Elements, eine Zahl je Dimension: 3, 5</translation>
    </message>
    <message>
        <source>Channel whose banks are shown</source>
        <translation>Kanal, dessen Bänke gezeigt werden</translation>
    </message>
    <message>
        <source>What lies where</source>
        <translation>Was wo liegt</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>Tensor by</source>
        <translation>Tensor nach</translation>
    </message>
    <message>
        <source>Banks by</source>
        <translation>Bänke nach</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>bank</source>
        <translation>Bank</translation>
    </message>
    <message>
        <source>row of the bank</source>
        <translation>Zeile der Bank</translation>
    </message>
    <message>
        <source>Copies of the element</source>
        <translation>Kopien des Elements</translation>
    </message>
    <message>
        <source>%1: in no bank</source>
        <translation>%1: in keiner Bank</translation>
    </message>
    <message>
        <source>%1: %2 and %3 other copies</source>
        <translation>%1: %2 und %3 weitere Kopien</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopie</translation>
    </message>
    <message>
        <source>Stack</source>
        <translation>Stack</translation>
    </message>
    <message>
        <source>Of the stack</source>
        <translation>Des Stacks</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>In accesses</source>
        <translation>In Zugriffen</translation>
    </message>
    <message>
        <source>Lane</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>Value in the access</source>
        <translation>Wert im Zugriff</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Of the byte in the memory of the channel, by its address map</source>
        <translation>Des Bytes im Speicher des Kanals, nach seiner Adressabbildung</translation>
    </message>
    <message>
        <source>index %1</source>
        <translation>Index %1</translation>
    </message>
    <message>
        <source>elements in the row</source>
        <translation>Elemente in der Zeile</translation>
    </message>
    <message>
        <source>Locating the elements of %1…</source>
        <translation>Die Elemente von %1 werden gesucht…</translation>
    </message>
    <message>
        <source>Layout of %1</source>
        <translation>Layout von %1</translation>
    </message>
    <message>
        <source>bank of channel %1</source>
        <translation>Bank von Kanal %1</translation>
    </message>
    <message>
        <source>row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Bank %1 (%2), row %3</source>
        <translation>Bank %1 (%2), Zeile %3</translation>
    </message>
    <message>
        <source>%1: nothing of %2</source>
        <translation>%1: nichts von %2</translation>
    </message>
    <message>
        <source>%1: %2 elements, %3</source>
        <translation>%1: %2 Elemente, %3</translation>
    </message>
    <message>
        <source>%1: in no bank; it crosses the bus into buffers or registers</source>
        <translation>%1: in keiner Bank; er geht über den Bus in Puffer oder Register</translation>
    </message>
    <message>
        <source>%1, address %2</source>
        <translation>%1, Adresse %2</translation>
    </message>
    <message>
        <source>%1: %2 copies, the first in %3</source>
        <translation>%1: %2 Kopien, die erste in %3</translation>
    </message>
    <message>
        <source>out of date</source>
        <translation>veraltet</translation>
    </message>
    <message>
        <source>%1 of %2 channels</source>
        <translation>%1 von %2 Kanälen</translation>
    </message>
    <message>
        <source>rows %1…%2 of channel %3</source>
        <translation>Zeilen %1…%2 von Kanal %3</translation>
    </message>
    <message>
        <source>nothing in the banks of channel %1</source>
        <translation>nichts in den Bänken von Kanal %1</translation>
    </message>
    <message>
        <source>every %1th element looked at</source>
        <translation>jedes %1-te Element betrachtet</translation>
    </message>
    <message>
        <source>Placing the tensors of %1</source>
        <translation>Die Tensoren von %1 werden platziert</translation>
    </message>
    <message>
        <source>No layout yet</source>
        <translation>Noch kein Layout</translation>
    </message>
    <message>
        <source>The operator is being placed.</source>
        <translation>Der Operator wird platziert.</translation>
    </message>
</context>
<context>
    <name>pim::views::LearningPlot</name>
    <message>
        <source>Mean error of predicted times over the rounds of training</source>
        <translation>Mittlerer Fehler der vorhergesagten Zeiten über die Runden des Trainings</translation>
    </message>
    <message>
        <source>drafts learned</source>
        <translation>gelernte Entwürfe</translation>
    </message>
    <message>
        <source>drafts of sizes held out</source>
        <translation>Entwürfe zurückgehaltener Größen</translation>
    </message>
    <message>
        <source>trees</source>
        <translation>Bäume</translation>
    </message>
    <message>
        <source>mean error</source>
        <translation>mittlerer Fehler</translation>
    </message>
    <message>
        <source>%1 trees: drafts learned %2</source>
        <translation>%1 Bäume: gelernte Entwürfe %2</translation>
    </message>
    <message>
        <source>, held out %1</source>
        <translation>, zurückgehaltene %1</translation>
    </message>
</context>
<context>
    <name>pim::views::LevelsView</name>
    <message>
        <source>Levels</source>
        <translation>Ebenen</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>[m][k] times [k][n], or the elements</source>
        <translation>[m][k] mal [k][n], oder die Elemente</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>The machine; a right click puts the op elsewhere</source>
        <translation>Die Maschine; ein Rechtsklick legt die Op auf eine andere</translation>
    </message>
    <message>
        <source>Mapping</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>Tiles: order of loops, outermost first, and what the tiles hold. DPUs: how many times how many tasklets, and the box of each</source>
        <translation>Tiles: Ordnung der Schleifen, äußerste zuerst, und was die Tiles halten. DPUs: wie oft wie viele Tasklets, und die Box von jedem</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>All runs, where it is placed, with all bits of its elements</source>
        <translation>Alle Durchgänge, wo sie platziert ist, mit allen Bits ihrer Elemente</translation>
    </message>
    <message>
        <source>Tile writes</source>
        <translation>Tile-Schreiben</translation>
    </message>
    <message>
        <source>How often a tile is programmed, as numbers of 8 bits</source>
        <translation>Wie oft ein Tile programmiert wird, als Zahlen zu 8 Bit</translation>
    </message>
    <message>
        <source>Usual order</source>
        <translation>Übliche Ordnung</translation>
    </message>
    <message>
        <source>Tile writes with the loops m, n, k and boxes</source>
        <translation>Tile-Schreiben mit den Schleifen m, n, k und Boxen</translation>
    </message>
    <message>
        <source>Spread evenly</source>
        <translation>Gleich verteilt</translation>
    </message>
    <message>
        <source>Time on DPUs with equal boxes of all loops in turn, instead of the draft that was searched</source>
        <translation>Zeit auf DPUs mit gleichen Boxen aller Schleifen der Reihe nach, statt mit dem gesuchten Entwurf</translation>
    </message>
    <message>
        <source>WRAM</source>
        <translation>WRAM</translation>
    </message>
    <message>
        <source>What all tasklets of a DPU use of its 64 KB</source>
        <translation>Was alle Tasklets einer DPU von ihren 64 KB verwenden</translation>
    </message>
    <message>
        <source>Why there</source>
        <translation>Warum dort</translation>
    </message>
    <message>
        <source>Ops and their machines</source>
        <translation>Ops und ihre Maschinen</translation>
    </message>
    <message>
        <source>Loops of the selected op</source>
        <translation>Schleifen der gewählten Op</translation>
    </message>
    <message>
        <source>What the selected op became: loops with their turns, and how often things are done in all</source>
        <translation>Was aus der gewählten Op wurde: Schleifen mit ihren Durchläufen, und wie oft insgesamt etwas geschieht</translation>
    </message>
    <message>
        <source>C code</source>
        <translation>C-Code</translation>
    </message>
    <message>
        <source>Show or hide the C code for the machine</source>
        <translation>Den C-Code für die Maschine zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Program that cannot be read</source>
        <translation>Nicht lesbares Programm</translation>
    </message>
    <message>
        <source>All ops together</source>
        <translation>Alle Ops zusammen</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Tiles, DPUs, each op where it takes least, or the rule of the paper: large products on tiles, the rest on DPUs</source>
        <translation>Tiles, DPUs, jede Op, wo sie am wenigsten braucht, oder die Regel des Papers: große Produkte auf Tiles, der Rest auf DPUs</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>What fractions become: tiles hold integers, as of a quantised network</source>
        <translation>Was aus Brüchen wird: Tiles halten ganze Zahlen, wie bei einem quantisierten Netz</translation>
    </message>
    <message>
        <source>Order of loops</source>
        <translation>Ordnung der Schleifen</translation>
    </message>
    <message>
        <source>Loops of every product, outermost first, the right operand held; knm writes each tile once</source>
        <translation>Schleifen jedes Produkts, äußerste zuerst, der rechte Operand bleibt; knm schreibt jedes Tile einmal</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Rows that meet a tile at a time: as many as it has (box), or all of them (whole)</source>
        <translation>Zeilen, die auf einmal auf ein Tile treffen: so viele, wie es hat (box), oder alle (whole)</translation>
    </message>
    <message>
        <source>Unroll</source>
        <translation>Unroll</translation>
    </message>
    <message>
        <source>Tiles that work on one product at a time, at most</source>
        <translation>Tiles, die gleichzeitig an einem Produkt arbeiten, höchstens</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Zielgröße</translation>
    </message>
    <message>
        <source>What the search makes small</source>
        <translation>Was die Suche klein macht</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Results of tiles are waited for one by one, or all together as late as possible</source>
        <translation>Auf Ergebnisse der Tiles wird einzeln gewartet, oder auf alle zusammen so spät wie möglich</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>Verteilen</translation>
    </message>
    <message>
        <source>On DPUs: the draft that was searched, or equal boxes of all loops in turn</source>
        <translation>Auf DPUs: der gesuchte Entwurf, oder gleiche Boxen aller Schleifen der Reihe nach</translation>
    </message>
    <message>
        <source>Tile size</source>
        <translation>Tile-Größe</translation>
    </message>
    <message>
        <source>Cells in a row and in a column of a tile</source>
        <translation>Zellen in einer Zeile und in einer Spalte eines Tiles</translation>
    </message>
    <message>
        <source>Tiles</source>
        <translation>Tiles</translation>
    </message>
    <message>
        <source>Tiles of the accelerator</source>
        <translation>Tiles des Beschleunigers</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Ordnung</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Lowering the network</source>
        <translation>Das Netz wird abgesenkt</translation>
    </message>
    <message>
        <source>No levels to show</source>
        <translation>Keine Ebenen zu zeigen</translation>
    </message>
    <message>
        <source>Open a model to see it lowered to memristor tiles and DPUs, or choose a program above.</source>
        <translation>Öffnen Sie ein Modell, um zu sehen, wie es auf Memristor-Tiles und DPUs abgesenkt wird, oder wählen Sie oben ein Programm.</translation>
    </message>
    <message>
        <source>This program cannot be lowered</source>
        <translation>Dieses Programm lässt sich nicht absenken</translation>
    </message>
    <message>
        <source>Show the Op</source>
        <translation>Die Op zeigen</translation>
    </message>
    <message>
        <source>%1 ✓ · %2 ops · %3 lines · %4 ms</source>
        <translation>%1 ✓ · %2 Ops · %3 Zeilen · %4 ms</translation>
    </message>
    <message>
        <source>Show or hide level %1; ✓: its ops are verified</source>
        <translation>Ebene %1 zeigen oder verbergen; ✓: ihre Ops sind verifiziert</translation>
    </message>
    <message>
        <source>Level %1</source>
        <translation>Ebene %1</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>Writing C code …</source>
        <translation>C-Code wird geschrieben …</translation>
    </message>
    <message>
        <source>Writing C code</source>
        <translation>C-Code wird geschrieben</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>One op after the other: %1</source>
        <translation>Eine Op nach der anderen: %1</translation>
    </message>
    <message>
        <source>nothing whose time is known</source>
        <translation>nichts, dessen Zeit bekannt ist</translation>
    </message>
    <message>
        <source> · %1 tile writes (usual order %2)</source>
        <translation> · %1 Tile-Schreiben (übliche Ordnung %2)</translation>
    </message>
    <message>
        <source> · cells last %1 years</source>
        <translation> · Zellen halten %1 Jahre</translation>
    </message>
    <message>
        <source> · %1 at 8 bits</source>
        <translation> · %1 bei 8 Bit</translation>
    </message>
    <message>
        <source> · at most %1 of WRAM</source>
        <translation> · höchstens %1 des WRAM</translation>
    </message>
    <message numerus="yes">
        <source> · %n ops take a time that nobody knows</source>
        <translation>
            <numerusform> · %n Op braucht eine Zeit, die niemand kennt</numerusform>
            <numerusform> · %n Ops brauchen eine Zeit, die niemand kennt</numerusform>
        </translation>
    </message>
    <message>
        <source>%1   —   before: %2</source>
        <translation>%1   —   vorher: %2</translation>
    </message>
    <message>
        <source>Select an op to see its loops.</source>
        <translation>Wählen Sie eine Op, um ihre Schleifen zu sehen.</translation>
    </message>
    <message>
        <source>On %1: %2</source>
        <translation>Auf %1: %2</translation>
    </message>
    <message>
        <source>Run on the Host</source>
        <translation>Auf dem Host ausführen</translation>
    </message>
    <message>
        <source>Run on Memristor Tiles</source>
        <translation>Auf Memristor-Tiles ausführen</translation>
    </message>
    <message>
        <source>Run on DPUs</source>
        <translation>Auf DPUs ausführen</translation>
    </message>
    <message>
        <source>Run Wherever the Machine Says</source>
        <translation>Ausführen, wo es die Maschine sagt</translation>
    </message>
    <message>
        <source>Use Twice as Fast</source>
        <translation>Doppelt so schnell verwenden</translation>
    </message>
    <message>
        <source>Use Twice as Many</source>
        <translation>Doppelt so viele verwenden</translation>
    </message>
    <message>
        <source>Sets the tiles or their size above to twice as many. Words and sums have no field: they are options of pimc cinm</source>
        <translation>Setzt oben die Tiles oder ihre Größe auf doppelt so viele. Wörter und Summen haben kein Feld: Sie sind Optionen von pimc cinm</translation>
    </message>
</context>
<context>
    <name>pim::views::LimitsView</name>
    <message>
        <source>Resource</source>
        <translation>Ressource</translation>
    </message>
    <message>
        <source>All units of a kind</source>
        <translation>Alle Einheiten einer Art</translation>
    </message>
    <message>
        <source>Critical Path</source>
        <translation>Kritischer Pfad</translation>
    </message>
    <message>
        <source>Share of the chain of work that reaches from the beginning of the run to its end</source>
        <translation>Anteil an der Kette von Arbeit, die vom Anfang des Laufs bis zu seinem Ende reicht</translation>
    </message>
    <message>
        <source>Busiest</source>
        <translation>Am meisten belegt</translation>
    </message>
    <message>
        <source>The unit that is busy longest</source>
        <translation>Die Einheit, die am längsten arbeitet</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Share of the run in which it is busy</source>
        <translation>Anteil des Laufs, in dem sie arbeitet</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>All Busy</source>
        <translation>Alle belegt</translation>
    </message>
    <message>
        <source>Busy time of all units, of as many that never rest</source>
        <translation>Arbeitszeit aller Einheiten, von ebenso vielen, die nie ruhen</translation>
    </message>
    <message>
        <source>What limits the run</source>
        <translation>Was den Lauf begrenzt</translation>
    </message>
    <message>
        <source>What sets the time</source>
        <translation>Was die Zeit bestimmt</translation>
    </message>
    <message>
        <source>Resources, those with most of the critical path on top</source>
        <translation>Ressourcen, die mit dem größten Teil des kritischen Pfads zuoberst</translation>
    </message>
    <message>
        <source>Nothing simulated yet</source>
        <translation>Noch nichts simuliert</translation>
    </message>
    <message>
        <source>The simulation shows nothing in time: all of the network is on the host.</source>
        <translation>Die Simulation zeigt nichts über die Zeit: Das ganze Netz ist auf dem Host.</translation>
    </message>
    <message>
        <source>&amp;Resources</source>
        <translation>&amp;Ressourcen</translation>
    </message>
    <message>
        <source>Every op under what the machine and its host can do at most</source>
        <translation>Jede Op unter dem, was die Maschine und ihr Host höchstens können</translation>
    </message>
    <message>
        <source>%1 … %2, chosen in the timeline: %3</source>
        <translation>%1 … %2, in der Zeitleiste gewählt: %3</translation>
    </message>
    <message>
        <source>Roof&amp;line</source>
        <translation>Roof&amp;line</translation>
    </message>
    <message>
        <source>Resources and roofline</source>
        <translation>Ressourcen und Roofline</translation>
    </message>
</context>
<context>
    <name>pim::views::LutCalibration</name>
    <message>
        <source>Open a classifier: an ONNX file with its weights.</source>
        <translation>Öffnen Sie einen Klassifikator: eine ONNX-Datei mit ihren Gewichten.</translation>
    </message>
    <message>
        <source>Choose a folder with samples: test_x.npy and test_y.npy to measure with, calib_x.npy to calibrate with.</source>
        <translation>Wählen Sie einen Ordner mit Testproben: test_x.npy und test_y.npy zum Messen, calib_x.npy zum Kalibrieren.</translation>
    </message>
    <message>
        <source>%1 has no test_x.npy and calib_x.npy. Choose a folder with samples.</source>
        <translation>%1 enthält kein test_x.npy und calib_x.npy. Wählen Sie einen Ordner mit Testproben.</translation>
    </message>
    <message>
        <source>There is no folder %1.</source>
        <translation>Es gibt keinen Ordner %1.</translation>
    </message>
    <message>
        <source>Calibrating look-up tables of %1</source>
        <translation>Lookup-Tabellen von %1 werden kalibriert</translation>
    </message>
    <message>
        <source>The look-up tables are not calibrated</source>
        <translation>Die Lookup-Tabellen sind nicht kalibriert</translation>
    </message>
</context>
<context>
    <name>pim::views::LutForm</name>
    <message>
        <source>Choose the folder…</source>
        <translation>Den Ordner wählen…</translation>
    </message>
    <message>
        <source>Sto&amp;p</source>
        <translation>Anhal&amp;ten</translation>
    </message>
    <message>
        <source>Start A&amp;new</source>
        <translation>&amp;Neu beginnen</translation>
    </message>
    <message>
        <source>Run &amp;All</source>
        <translation>Alle a&amp;usführen</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Folder with samples</source>
        <translation>Ordner mit Testproben</translation>
    </message>
    <message>
        <source>Folder with calib_x.npy to calibrate with, test_x.npy and test_y.npy to measure with</source>
        <translation>Ordner mit calib_x.npy zum Kalibrieren, test_x.npy und test_y.npy zum Messen</translation>
    </message>
    <message>
        <source>folder with test_x.npy and calib_x.npy</source>
        <translation>Ordner mit test_x.npy und calib_x.npy</translation>
    </message>
    <message>
        <source>Layers with sizes of their own</source>
        <translation>Schichten mit eigenen Größen</translation>
    </message>
    <message>
        <source>ffn1:v=2,ct=16; head:off</source>
        <translation>ffn1:v=2,ct=16; head:off</translation>
    </message>
    <message>
        <source>Other sizes for layers with this in their names, or off: they stay as they are. Several separated by ;</source>
        <translation>Andere Größen für Schichten, in deren Namen dies vorkommt, oder off: Sie bleiben, wie sie sind. Mehrere durch ; getrennt</translation>
    </message>
    <message>
        <source>Values to try</source>
        <translation>Zu probierende Werte</translation>
    </message>
    <message>
        <source>v=2,4,8; ct=8,16</source>
        <translation>v=2,4,8; ct=8,16</translation>
    </message>
    <message>
        <source>Values of options; all combinations are calibrated one after the other, the rest as above</source>
        <translation>Werte von Optionen; alle Kombinationen werden nacheinander kalibriert, der Rest wie oben</translation>
    </message>
    <message>
        <source>Calibrate all combinations of these values</source>
        <translation>Alle Kombinationen dieser Werte kalibrieren</translation>
    </message>
    <message>
        <source>What was trained so far is kept: Resume goes on with it</source>
        <translation>Was bisher trainiert wurde, bleibt: „Fortsetzen“ macht damit weiter</translation>
    </message>
    <message>
        <source>Forget the training that was stopped and begin again</source>
        <translation>Das angehaltene Training vergessen und neu beginnen</translation>
    </message>
    <message>
        <source>How far the calibration is</source>
        <translation>Wie weit die Kalibrierung ist</translation>
    </message>
    <message>
        <source>State of the calibration</source>
        <translation>Zustand der Kalibrierung</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy as command: a pimc line that calibrates the same</source>
        <translation>Als Befehl kopieren: eine pimc-Zeile, die dasselbe kalibriert</translation>
    </message>
    <message>
        <source>Sa&amp;mples</source>
        <translation>Test&amp;proben</translation>
    </message>
    <message>
        <source>&amp;Layers with other sizes</source>
        <translation>&amp;Schichten mit anderen Größen</translation>
    </message>
    <message>
        <source>&amp;Try several values</source>
        <translation>Mehrere &amp;Werte probieren</translation>
    </message>
    <message>
        <source>the calibration</source>
        <translation>die Kalibrierung</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Calibrate</source>
        <translation>&amp;Kalibrieren</translation>
    </message>
    <message>
        <source>Go on with the training that was stopped</source>
        <translation>Mit dem angehaltenen Training weitermachen</translation>
    </message>
    <message>
        <source>Make tables from the calibration samples and measure them on the test samples</source>
        <translation>Aus den Kalibrierproben Tabellen machen und sie an den Testproben messen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>beginnt</translation>
    </message>
    <message>
        <source>%1 · %2 s</source>
        <translation>%1 · %2 s</translation>
    </message>
    <message>
        <source> · %1 more to come</source>
        <translation> · %1 weitere folgen</translation>
    </message>
</context>
<context>
    <name>pim::views::LutFront</name>
    <message>
        <source>Accuracy over cost</source>
        <translation>Genauigkeit über Kosten</translation>
    </message>
    <message>
        <source>What calibrations cost</source>
        <translation>Was Kalibrierungen kosten</translation>
    </message>
    <message>
        <source>Calibration that is shown</source>
        <translation>Gezeigte Kalibrierung</translation>
    </message>
    <message>
        <source>Accuracy of every calibration over what it costs, with the Pareto front</source>
        <translation>Genauigkeit jeder Kalibrierung über ihren Kosten, mit der Pareto-Front</translation>
    </message>
    <message>
        <source>Left and Right go from dot to dot</source>
        <translation>Links und Rechts gehen von Punkt zu Punkt</translation>
    </message>
    <message>
        <source>test accuracy</source>
        <translation>Testgenauigkeit</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>front</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>others</source>
        <translation>andere</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>gezeigt</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>was wäre, wenn</translation>
    </message>
    <message>
        <source>Planning the network with these tables …</source>
        <translation>Das Netz wird mit diesen Tabellen geplant …</translation>
    </message>
    <message>
        <source>The energy of this machine is not known</source>
        <translation>Die Energie dieser Maschine ist nicht bekannt</translation>
    </message>
    <message>
        <source>Time of a request on %1</source>
        <translation>Zeit einer Anfrage auf %1</translation>
    </message>
    <message>
        <source>Energy of a request on %1</source>
        <translation>Energie einer Anfrage auf %1</translation>
    </message>
    <message>
        <source>Size of the tables</source>
        <translation>Größe der Tabellen</translation>
    </message>
    <message>
        <source>time of a request (labels: V, CT)</source>
        <translation>Zeit einer Anfrage (Beschriftung: V, CT)</translation>
    </message>
    <message>
        <source>energy of a request (labels: V, CT)</source>
        <translation>Energie einer Anfrage (Beschriftung: V, CT)</translation>
    </message>
    <message>
        <source>size of all tables (labels: V, CT)</source>
        <translation>Größe aller Tabellen (Beschriftung: V, CT)</translation>
    </message>
    <message>
        <source>Nothing is calibrated yet</source>
        <translation>Noch ist nichts kalibriert</translation>
    </message>
    <message>
        <source>%1
%2 of the test samples right, %3 percentage points lost
%4%5</source>
        <translation>%1
%2 der Testproben richtig, %3 Prozentpunkte verloren
%4%5</translation>
    </message>
    <message>
        <source> · on the front</source>
        <translation> · auf der Front</translation>
    </message>
</context>
<context>
    <name>pim::views::LutLandscapeWords</name>
    <message>
        <source>tile rows, n_mtile</source>
        <translation>Tile-Zeilen, n_mtile</translation>
    </message>
    <message>
        <source>tile features, f_mtile</source>
        <translation>Tile-Merkmale, f_mtile</translation>
    </message>
    <message>
        <source>tile codebooks, cb_mtile</source>
        <translation>Tile-Codebooks, cb_mtile</translation>
    </message>
    <message>
        <source>sub-LUT, n_stile x f_stile</source>
        <translation>Teil-LUT, n_stile x f_stile</translation>
    </message>
    <message>
        <source>sub-LUT %1 x %2 · tiles %3 x %4 x %5 · %6 · %7</source>
        <translation>Teil-LUT %1 x %2 · Tiles %3 x %4 x %5 · %6 · %7</translation>
    </message>
</context>
<context>
    <name>pim::views::LutMap</name>
    <message>
        <source>Arrow keys go from cell to cell, Home goes to the best, Enter decides.</source>
        <translation>Pfeiltasten gehen von Zelle zu Zelle, Pos1 geht zur besten, Eingabe entscheidet.</translation>
    </message>
    <message>
        <source>%1: %2
%3: %4</source>
        <translation>%1: %2
%3: %4</translation>
    </message>
    <message>
        <source>%1
best %2%3</source>
        <translation>%1
beste %2%3</translation>
    </message>
    <message>
        <source> · the best of all</source>
        <translation> · die beste von allen</translation>
    </message>
    <message>
        <source>%1
there is no such tile</source>
        <translation>%1
ein solches Tile gibt es nicht</translation>
    </message>
    <message>
        <source>%1
not possible: %2</source>
        <translation>%1
nicht möglich: %2</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>nicht möglich</translation>
    </message>
    <message>
        <source>★ best of all</source>
        <translation>★ beste von allen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>pim::views::LutMappingsView</name>
    <message>
        <source>Send indices</source>
        <translation>Indizes senden</translation>
    </message>
    <message>
        <source>Send table</source>
        <translation>Tabelle senden</translation>
    </message>
    <message>
        <source>Fetch output</source>
        <translation>Ausgang holen</translation>
    </message>
    <message>
        <source>Add rows up</source>
        <translation>Zeilen summieren</translation>
    </message>
    <message>
        <source>Load indices</source>
        <translation>Indizes laden</translation>
    </message>
    <message>
        <source>Load table</source>
        <translation>Tabelle laden</translation>
    </message>
    <message>
        <source>Move output</source>
        <translation>Ausgang bewegen</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>Übertragungen</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Elements of a sub-vector</source>
        <translation>Elemente eines Teilvektors</translation>
    </message>
    <message>
        <source>Centroids of a codebook</source>
        <translation>Zentroide eines Codebooks</translation>
    </message>
    <message>
        <source>DPUs the layer is split over</source>
        <translation>DPUs, auf die die Schicht verteilt ist</translation>
    </message>
    <message>
        <source>Tasklets of a DPU</source>
        <translation>Tasklets einer DPU</translation>
    </message>
    <message>
        <source>Use This Mapping</source>
        <translation>Diese Abbildung verwenden</translation>
    </message>
    <message>
        <source>Copy as a row for pimc lut-predict</source>
        <translation>Als Zeile für pimc lut-predict kopieren</translation>
    </message>
    <message>
        <source>Sub-LUTs by tiles</source>
        <translation>Teil-LUTs nach Tiles</translation>
    </message>
    <message>
        <source>Tiles of the sub-LUT</source>
        <translation>Tiles der Teil-LUT</translation>
    </message>
    <message>
        <source>Mappings of look-up tables</source>
        <translation>Abbildungen von Lookup-Tabellen</translation>
    </message>
    <message>
        <source>No mappings to show</source>
        <translation>Keine Abbildungen zu zeigen</translation>
    </message>
    <message>
        <source>Open a model and choose UPMEM modules as its target.</source>
        <translation>Öffnen Sie ein Modell und wählen Sie UPMEM-Module als Ziel.</translation>
    </message>
    <message>
        <source>Operator that becomes look-ups</source>
        <translation>Operator, aus dem Lookups werden</translation>
    </message>
    <message>
        <source>Products with constant weights</source>
        <translation>Produkte mit konstanten Gewichten</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source> DPUs</source>
        <translation> DPUs</translation>
    </message>
    <message>
        <source> tasklets</source>
        <translation> Tasklets</translation>
    </message>
    <message>
        <source>Best mapping</source>
        <translation>Beste Abbildung</translation>
    </message>
    <message>
        <source>What tiles are told apart by</source>
        <translation>Wonach Tiles unterschieden werden</translation>
    </message>
    <message>
        <source>Codebooks of the tiles that are shown</source>
        <translation>Codebooks der gezeigten Tiles</translation>
    </message>
    <message>
        <source>Codebooks of the tiles (cb_mtile) that are shown</source>
        <translation>Codebooks der gezeigten Tiles (cb_mtile)</translation>
    </message>
    <message>
        <source>Sub-LUT whose tiles are shown</source>
        <translation>Teil-LUT, deren Tiles gezeigt werden</translation>
    </message>
    <message>
        <source>Sub-LUTs</source>
        <translation>Teil-LUTs</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>Gewählt</translation>
    </message>
    <message>
        <source>The mapping that is clicked</source>
        <translation>Die angeklickte Abbildung</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Beste</translation>
    </message>
    <message>
        <source>The best mapping of all</source>
        <translation>Die beste Abbildung von allen</translation>
    </message>
    <message>
        <source>Where the time of the mapping goes</source>
        <translation>Wo die Zeit der Abbildung bleibt</translation>
    </message>
    <message>
        <source>Chosen mapping</source>
        <translation>Gewählte Abbildung</translation>
    </message>
    <message>
        <source>Copy for lut-predict</source>
        <translation>Für lut-predict kopieren</translation>
    </message>
    <message>
        <source>Decide the mapping that is chosen for the operator</source>
        <translation>Die gewählte Abbildung für den Operator festlegen</translation>
    </message>
    <message>
        <source>Use %1 DPUs</source>
        <translation>%1 DPUs verwenden</translation>
    </message>
    <message>
        <source>Use fewer DPUs</source>
        <translation>Weniger DPUs verwenden</translation>
    </message>
    <message>
        <source>No mapping on %1 DPUs</source>
        <translation>Keine Abbildung auf %1 DPUs</translation>
    </message>
    <message>
        <source>N %1 · CB %2 · CT %3 · F %4</source>
        <translation>N %1 · CB %2 · CT %3 · F %4</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; at best · %2 · %3 of %4 mappings not possible</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; bestenfalls · %2 · %3 von %4 Abbildungen nicht möglich</translation>
    </message>
    <message>
        <source>&lt;b&gt;no mapping&lt;/b&gt; · %1 · %2</source>
        <translation>&lt;b&gt;keine Abbildung&lt;/b&gt; · %1 · %2</translation>
    </message>
    <message>
        <source>cb: best</source>
        <translation>cb: beste</translation>
    </message>
    <message>
        <source>cb: %1</source>
        <translation>cb: %1</translation>
    </message>
    <message>
        <source>No tiles of %1 x %2</source>
        <translation>Keine Tiles von %1 x %2</translation>
    </message>
    <message>
        <source>Tiles of %1 x %2</source>
        <translation>Tiles von %1 x %2</translation>
    </message>
    <message>
        <source>Decide this mapping for the operator; a double click or Enter does it, too</source>
        <translation>Diese Abbildung für den Operator festlegen; Doppelklick oder Eingabe tun es auch</translation>
    </message>
    <message>
        <source>There is no such tile</source>
        <translation>Ein solches Tile gibt es nicht</translation>
    </message>
    <message>
        <source>Not possible: %1</source>
        <translation>Nicht möglich: %1</translation>
    </message>
    <message>
        <source>%1 · in force</source>
        <translation>%1 · geltend</translation>
    </message>
    <message>
        <source>There is no plan to decide in.</source>
        <translation>Es gibt keinen Plan, in dem entschieden werden könnte.</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>As measured</source>
        <translation>Wie gemessen</translation>
    </message>
    <message>
        <source>WRAM</source>
        <translation>WRAM</translation>
    </message>
    <message>
        <source>MRAM</source>
        <translation>MRAM</translation>
    </message>
    <message>
        <source>No operator of this network is a product with constant weights.</source>
        <translation>Kein Operator dieses Netzes ist ein Produkt mit konstanten Gewichten.</translation>
    </message>
    <message>
        <source>to decide it, convert the operator first (pass look_up_tables)</source>
        <translation>um sie festzulegen, wandeln Sie zuerst den Operator um (Pass look_up_tables)</translation>
    </message>
    <message>
        <source>No mappings yet</source>
        <translation>Noch keine Abbildungen</translation>
    </message>
    <message>
        <source>They are being worked out.</source>
        <translation>Sie werden ausgearbeitet.</translation>
    </message>
    <message>
        <source>Working them out was cancelled.</source>
        <translation>Das Ausarbeiten wurde abgebrochen.</translation>
    </message>
</context>
<context>
    <name>pim::views::LutPlans</name>
    <message>
        <source>Planning with look-up tables</source>
        <translation>Mit Lookup-Tabellen wird geplant</translation>
    </message>
</context>
<context>
    <name>pim::views::LutView</name>
    <message>
        <source>Save centroids and tables…</source>
        <translation>Zentroide und Tabellen speichern…</translation>
    </message>
    <message>
        <source>Convert the network</source>
        <translation>Das Netz umwandeln</translation>
    </message>
    <message>
        <source>Look-up tables</source>
        <translation>Lookup-Tabellen</translation>
    </message>
    <message>
        <source>What is asked for</source>
        <translation>Was verlangt wird</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Root mean square of what its sums miss of the product with the same inputs, relative to that; on the test samples</source>
        <translation>Quadratisches Mittel dessen, was seinen Summen zum Produkt mit denselben Eingängen fehlt, relativ dazu; an den Testproben</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>Unbenutzt</translation>
    </message>
    <message>
        <source>Centroids that no test sample chose</source>
        <translation>Zentroide, die keine Testprobe gewählt hat</translation>
    </message>
    <message>
        <source>V</source>
        <translation>V</translation>
    </message>
    <message>
        <source>Elements of a sub-vector</source>
        <translation>Elemente eines Teilvektors</translation>
    </message>
    <message>
        <source>CT</source>
        <translation>CT</translation>
    </message>
    <message>
        <source>Centroids of a codebook</source>
        <translation>Zentroide eines Codebooks</translation>
    </message>
    <message>
        <source>CB</source>
        <translation>CB</translation>
    </message>
    <message>
        <source>Codebooks: sub-vectors of an input row</source>
        <translation>Codebooks: Teilvektoren einer Zeile des Eingangs</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Features: columns of the table</source>
        <translation>Merkmale: Spalten der Tabelle</translation>
    </message>
    <message>
        <source>Converted layers</source>
        <translation>Umgewandelte Schichten</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Share of the test samples that are right</source>
        <translation>Anteil der Testproben, die richtig sind</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>Against the network as it is, in percentage points</source>
        <translation>Gegenüber dem unveränderten Netz, in Prozentpunkten</translation>
    </message>
    <message>
        <source>Logits apart</source>
        <translation>Logit-Abstand</translation>
    </message>
    <message>
        <source>Mean distance of logits from those of the network as it is</source>
        <translation>Mittlerer Abstand der Logits von denen des unveränderten Netzes</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Processor time</source>
        <translation>Prozessorzeit</translation>
    </message>
    <message>
        <source>Of the calibration</source>
        <translation>Der Kalibrierung</translation>
    </message>
    <message>
        <source>Calibrations</source>
        <translation>Kalibrierungen</translation>
    </message>
    <message>
        <source>What the calibration came to</source>
        <translation>Was die Kalibrierung ergab</translation>
    </message>
    <message>
        <source>Layers, training, calibrations and front</source>
        <translation>Schichten, Training, Kalibrierungen und Front</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Front</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>No tables yet</source>
        <translation>Noch keine Tabellen</translation>
    </message>
    <message>
        <source>The network is being calibrated.</source>
        <translation>Das Netz wird kalibriert.</translation>
    </message>
    <message>
        <source>Calibrate makes look-up tables of the products of this network and tells how often it is right with them.</source>
        <translation>„Kalibrieren“ macht aus den Produkten dieses Netzes Lookup-Tabellen und sagt, wie oft es damit richtig liegt.</translation>
    </message>
    <message>
        <source>Nothing is calibrated yet</source>
        <translation>Noch ist nichts kalibriert</translation>
    </message>
    <message>
        <source>Save centroids and tables of all layers as arrays of NumPy…</source>
        <translation>Zentroide und Tabellen aller Schichten als NumPy-Arrays speichern…</translation>
    </message>
    <message>
        <source>Only the figures of this calibration are kept; calibrate again to have its tables</source>
        <translation>Von dieser Kalibrierung sind nur die Zahlen erhalten; kalibrieren Sie erneut, um ihre Tabellen zu haben</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; right, %2 as it is · %3 · %4 layers · %5 test samples</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; richtig, %2 unverändert · %3 · %4 Schichten · %5 Testproben</translation>
    </message>
    <message>
        <source>Only method=elut trains through the network</source>
        <translation>Nur method=elut trainiert durch das Netz hindurch</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 pp</source>
        <translation>%1 PP</translation>
    </message>
    <message>
        <source>The tables are not saved</source>
        <translation>Die Tabellen sind nicht gespeichert</translation>
    </message>
    <message>
        <source>Save centroids and tables into a folder</source>
        <translation>Zentroide und Tabellen in einen Ordner speichern</translation>
    </message>
    <message>
        <source>Centroids and tables are in %1</source>
        <translation>Zentroide und Tabellen sind in %1</translation>
    </message>
    <message>
        <source>The network has look-ups in the place of products; click to have its products again</source>
        <translation>Das Netz hat Lookups anstelle von Produkten; ein Klick gibt ihm seine Produkte zurück</translation>
    </message>
    <message>
        <source>Plan, simulate and check the network with these tables: they are saved into a folder, and the pass look_up_tables takes them from there…</source>
        <translation>Das Netz mit diesen Tabellen planen, simulieren und prüfen: Sie werden in einen Ordner gespeichert, und der Pass look_up_tables nimmt sie von dort…</translation>
    </message>
    <message>
        <source>Save the tables that the network is to have</source>
        <translation>Die Tabellen speichern, die das Netz bekommen soll</translation>
    </message>
</context>
<context>
    <name>pim::views::LutWhatIf</name>
    <message>
        <source>Elements of a sub-vector, V</source>
        <translation>Elemente eines Teilvektors, V</translation>
    </message>
    <message>
        <source>Elements of a sub-vector: longer ones make smaller tables and fewer additions</source>
        <translation>Elemente eines Teilvektors: Längere geben kleinere Tabellen und weniger Additionen</translation>
    </message>
    <message>
        <source>Centroids of a codebook, CT</source>
        <translation>Zentroide eines Codebooks, CT</translation>
    </message>
    <message>
        <source>Centroids of a codebook: more of them make larger tables and a longer search</source>
        <translation>Zentroide eines Codebooks: Mehr davon geben größere Tabellen und eine längere Suche</translation>
    </message>
    <message>
        <source>Calibrate &amp;These</source>
        <translation>D&amp;iese kalibrieren</translation>
    </message>
    <message>
        <source>What other sizes would cost</source>
        <translation>Was andere Größen kosten würden</translation>
    </message>
    <message>
        <source>Layers that are turned</source>
        <translation>Gestellte Schichten</translation>
    </message>
    <message>
        <source>What the sliders turn: all converted layers, or one</source>
        <translation>Was die Regler stellen: alle umgewandelten Schichten oder eine</translation>
    </message>
    <message>
        <source>What these sizes would cost</source>
        <translation>Was diese Größen kosten würden</translation>
    </message>
    <message>
        <source>Calibrate these sizes</source>
        <translation>Diese Größen kalibrieren</translation>
    </message>
    <message>
        <source>Make tables of these sizes and measure how often the network is right with them</source>
        <translation>Tabellen dieser Größen machen und messen, wie oft das Netz mit ihnen richtig liegt</translation>
    </message>
    <message>
        <source>&amp;What if</source>
        <translation>Was wä&amp;re, wenn</translation>
    </message>
    <message>
        <source>All %1 layers</source>
        <translation>Alle %1 Schichten</translation>
    </message>
    <message>
        <source>V = %1</source>
        <translation>V = %1</translation>
    </message>
    <message>
        <source>CT = %1</source>
        <translation>CT = %1</translation>
    </message>
    <message>
        <source>Turn a slider: what such tables would cost is told before they are made</source>
        <translation>Bewegen Sie einen Regler: Was solche Tabellen kosten würden, steht da, bevor es sie gibt</translation>
    </message>
    <message>
        <source>%1 of tables · planning …</source>
        <translation>%1 an Tabellen · wird geplant …</translation>
    </message>
    <message>
        <source>%1 %2 · %3 · %4 of tables · how often it is right only a calibration tells</source>
        <translation>%1 %2 · %3 · %4 an Tabellen · wie oft es richtig liegt, sagt nur eine Kalibrierung</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>energy unknown</source>
        <translation>Energie unbekannt</translation>
    </message>
</context>
<context>
    <name>pim::views::MachineUseWords</name>
    <message>
        <source>No op runs on PIM</source>
        <translation>Keine Op läuft auf PIM</translation>
    </message>
    <message>
        <source>No op that passes the filters runs on PIM</source>
        <translation>Keine Op, die durch die Filter kommt, läuft auf PIM</translation>
    </message>
    <message>
        <source>PIM cannot run the selected op</source>
        <translation>PIM kann die gewählte Op nicht ausführen</translation>
    </message>
    <message>
        <source>Select an op to see its tiles</source>
        <translation>Wählen Sie eine Op, um ihre Tiles zu sehen</translation>
    </message>
    <message>
        <source>%1 iterations</source>
        <translation>%1 Iterationen</translation>
    </message>
    <message>
        <source>%1 of %2 used, %3 free</source>
        <translation>%1 von %2 belegt, %3 frei</translation>
    </message>
    <message>
        <source>%1; %2 by this op</source>
        <translation>%1; %2 von dieser Op</translation>
    </message>
    <message>
        <source>Compute tile</source>
        <translation>Rechen-Tile</translation>
    </message>
    <message>
        <source>iterations of the selected op on each core</source>
        <translation>Iterationen der gewählten Op auf jedem Kern</translation>
    </message>
    <message>
        <source>Data tile</source>
        <translation>Daten-Tile</translation>
    </message>
    <message>
        <source>bytes of the selected op&apos;s tensors on each core</source>
        <translation>Bytes der Tensoren der gewählten Op auf jedem Kern</translation>
    </message>
    <message>
        <source>Memory used</source>
        <translation>Belegter Speicher</translation>
    </message>
    <message>
        <source>memory of each core that ops on PIM take</source>
        <translation>Speicher jedes Kerns, den Ops auf PIM belegen</translation>
    </message>
    <message>
        <source>Busy time</source>
        <translation>Arbeitszeit</translation>
    </message>
    <message>
        <source>time each one works in one run of the network, predicted</source>
        <translation>Zeit, die jedes in einem Lauf des Netzes arbeitet, vorhergesagt</translation>
    </message>
</context>
<context>
    <name>pim::views::MemoryPanel</name>
    <message>
        <source>Peak local memory of each core</source>
        <translation>Spitze des lokalen Speichers jedes Kerns</translation>
    </message>
    <message>
        <source>Local memory of a core in use over time</source>
        <translation>Belegter lokaler Speicher eines Kerns über die Zeit</translation>
    </message>
    <message>
        <source>Core whose memory is shown</source>
        <translation>Kern, dessen Speicher gezeigt wird</translation>
    </message>
    <message>
        <source>Click a core to see its memory over time</source>
        <translation>Klicken Sie auf einen Kern, um seinen Speicher über die Zeit zu sehen</translation>
    </message>
    <message>
        <source>highest address</source>
        <translation>höchste Adresse</translation>
    </message>
    <message>
        <source>highest address, shown core</source>
        <translation>höchste Adresse, gezeigter Kern</translation>
    </message>
    <message>
        <source>core</source>
        <translation>Kern</translation>
    </message>
    <message>
        <source>Computing memory over time…</source>
        <translation>Der Speicher über die Zeit wird berechnet…</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>belegt</translation>
    </message>
    <message>
        <source>capacity</source>
        <translation>Kapazität</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>&lt;b&gt;Core %1&lt;/b&gt; has no instructions</source>
        <translation>&lt;b&gt;Kern %1&lt;/b&gt; hat keine Instruktionen</translation>
    </message>
    <message>
        <source>&lt;b&gt;Core %1&lt;/b&gt;: %2 at once, %3 with gaps, of %4</source>
        <translation>&lt;b&gt;Kern %1&lt;/b&gt;: %2 zugleich, %3 mit Lücken, von %4</translation>
    </message>
</context>
<context>
    <name>pim::views::MemoryStrip</name>
    <message>
        <source>Left and Right go from piece to piece, + and - zoom, A and D move, F shows all, T what is taken.</source>
        <translation>Links und Rechts gehen von Stück zu Stück, + und - zoomen, A und D schieben, F zeigt alles, T das Belegte.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>pim::views::NoteLine</name>
    <message>
        <source>Add the note (Enter)</source>
        <translation>Die Notiz hinzufügen (Eingabe)</translation>
    </message>
    <message>
        <source>Note on the chosen stretch of time</source>
        <translation>Notiz zur gewählten Zeitstrecke</translation>
    </message>
    <message>
        <source>Note on this stretch</source>
        <translation>Notiz zu dieser Strecke</translation>
    </message>
</context>
<context>
    <name>pim::views::NotesModel</name>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>%1 ns</source>
        <translation>%1 ns</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
</context>
<context>
    <name>pim::views::NotesPanel</name>
    <message>
        <source>Add the note (Enter)</source>
        <translation>Die Notiz hinzufügen (Eingabe)</translation>
    </message>
    <message>
        <source>Go to what the note is about (Enter)</source>
        <translation>Zu dem gehen, wovon die Notiz handelt (Eingabe)</translation>
    </message>
    <message>
        <source>Remove the note (Delete)</source>
        <translation>Die Notiz entfernen (Entf)</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Words that notes must have</source>
        <translation>Wörter, die Notizen enthalten müssen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Note on the selected operator</source>
        <translation>Notiz zum gewählten Operator</translation>
    </message>
    <message>
        <source>No notes yet</source>
        <translation>Noch keine Notizen</translation>
    </message>
    <message>
        <source>Select an operator and write a note above, or drag over a stretch of the timeline with Shift held. Notes are kept with the project and printed in the report.</source>
        <translation>Wählen Sie einen Operator und schreiben Sie oben eine Notiz, oder ziehen Sie mit gehaltener Umschalttaste über eine Strecke der Zeitleiste. Notizen bleiben beim Projekt und stehen im Bericht.</translation>
    </message>
    <message>
        <source>Note on %1</source>
        <translation>Notiz zu %1</translation>
    </message>
    <message>
        <source>Select an operator to write about it</source>
        <translation>Wählen Sie einen Operator, um etwas zu ihm zu schreiben</translation>
    </message>
</context>
<context>
    <name>pim::views::OpFactsWords</name>
    <message>
        <source>Input rearrangement</source>
        <translation>Umordnung der Eingänge</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Output rearrangement</source>
        <translation>Umordnung der Ausgänge</translation>
    </message>
    <message>
        <source>Mode switch</source>
        <translation>Moduswechsel</translation>
    </message>
    <message>
        <source>Weight rewrite</source>
        <translation>Gewichte neu schreiben</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source> (yours)</source>
        <translation> (Ihre)</translation>
    </message>
    <message>
        <source>, loaded once in %1</source>
        <translation>, einmal geladen in %1</translation>
    </message>
    <message>
        <source>shape unknown</source>
        <translation>Form unbekannt</translation>
    </message>
    <message>
        <source>weights not included</source>
        <translation>Gewichte nicht enthalten</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>konstant</translation>
    </message>
    <message>
        <source>whole network, %1 ops; select one to see it</source>
        <translation>ganzes Netz, %1 Ops; wählen Sie eine, um sie zu sehen</translation>
    </message>
    <message>
        <source>Time (being recomputed)</source>
        <translation>Zeit (wird neu berechnet)</translation>
    </message>
    <message>
        <source>Time (%1)</source>
        <translation>Zeit (%1)</translation>
    </message>
    <message>
        <source>%1 alone</source>
        <translation>%1 allein</translation>
    </message>
    <message>
        <source>Compared: time, and how many times faster this plan is</source>
        <translation>Verglichen: Zeit, und wie viele Male schneller dieser Plan ist</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>On PIM</source>
        <translation>Auf PIM</translation>
    </message>
    <message>
        <source>On the host</source>
        <translation>Auf dem Host</translation>
    </message>
    <message>
        <source> · your decision</source>
        <translation> · Ihre Entscheidung</translation>
    </message>
    <message>
        <source>&lt;p style=&apos;margin:0&apos;&gt;Cost on the host is unknown; counted as 0 ns.&lt;/p&gt;</source>
        <translation>&lt;p style=&apos;margin:0&apos;&gt;Die Kosten auf dem Host sind unbekannt; sie zählen als 0 ns.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p style=&apos;margin:4px 0 0 0&apos;&gt;On the host it would take %1 (%2).&lt;/p&gt;</source>
        <translation>&lt;p style=&apos;margin:4px 0 0 0&apos;&gt;Auf dem Host bräuchte sie %1 (%2).&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p style=&apos;margin:4px 0 0 0&apos;&gt;On PIM it would take %1.&lt;/p&gt;</source>
        <translation>&lt;p style=&apos;margin:4px 0 0 0&apos;&gt;Auf PIM bräuchte sie %1.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p style=&apos;margin:4px 0 0 0&apos;&gt;PIM cannot run it: %1.&lt;/p&gt;</source>
        <translation>&lt;p style=&apos;margin:4px 0 0 0&apos;&gt;PIM kann sie nicht ausführen: %1.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Draft (your decision)</source>
        <translation>Entwurf (Ihre Entscheidung)</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Reset it below to take the compiler&apos;s choice again</source>
        <translation>Setzen Sie ihn unten zurück, um wieder die Wahl des Compilers zu nehmen</translation>
    </message>
    <message>
        <source>Best of %1 kept, %2 looked at</source>
        <translation>Bester von %1 behaltenen, %2 betrachtet</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Multiply-accumulates</source>
        <translation>Multiply-Accumulates</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MACs</translation>
    </message>
    <message>
        <source>Other operations</source>
        <translation>Andere Operationen</translation>
    </message>
    <message>
        <source>ops</source>
        <translation>Ops</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Gelesen</translation>
    </message>
    <message>
        <source>of it weights %1</source>
        <translation>davon Gewichte %1</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>Arithmetische Intensität</translation>
    </message>
    <message>
        <source>&lt;p style=&apos;margin:0&apos;&gt;Not known: shapes are missing or the op is not understood.&lt;/p&gt;</source>
        <translation>&lt;p style=&apos;margin:0&apos;&gt;Nicht bekannt: Formen fehlen, oder die Op wird nicht verstanden.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>in</source>
        <translation>ein</translation>
    </message>
    <message>
        <source>out</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>Attribute</translation>
    </message>
    <message>
        <source>From the model file</source>
        <translation>Aus der Modelldatei</translation>
    </message>
    <message>
        <source>From %1 nodes of the model file</source>
        <translation>Aus %1 Knoten der Modelldatei</translation>
    </message>
    <message>
        <source>&lt;p style=&apos;margin:0&apos;&gt;… and %1 more&lt;/p&gt;</source>
        <translation>&lt;p style=&apos;margin:0&apos;&gt;… und %1 weitere&lt;/p&gt;</translation>
    </message>
    <message>
        <source>What sets its time (simulated)</source>
        <translation>Was ihre Zeit bestimmt (simuliert)</translation>
    </message>
</context>
<context>
    <name>pim::views::OpPanel</name>
    <message>
        <source>Operator that is shown</source>
        <translation>Gezeigter Operator</translation>
    </message>
    <message>
        <source>Operators that run on DPUs</source>
        <translation>Operatoren, die auf DPUs laufen</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>What was run</source>
        <translation>Was ausgeführt wurde</translation>
    </message>
    <message>
        <source>What is under the pointer</source>
        <translation>Was unter dem Zeiger liegt</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; cycles (%2) · %3 tasklets on each of %4 DPUs</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; Takte (%2) · %3 Tasklets auf jeder von %4 DPUs</translation>
    </message>
    <message>
        <source> · the first %1 were run, the rest is counted on</source>
        <translation> · die ersten %1 wurden ausgeführt, der Rest ist hochgerechnet</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>Noch nicht ausgeführt</translation>
    </message>
    <message>
        <source>Nothing to show</source>
        <translation>Nichts zu zeigen</translation>
    </message>
</context>
<context>
    <name>pim::views::OpRuns</name>
    <message>
        <source>Open a model and choose UPMEM modules as its target, such as upmem-20.</source>
        <translation>Öffnen Sie ein Modell und wählen Sie UPMEM-Module als Ziel, etwa upmem-20.</translation>
    </message>
    <message>
        <source>%1 has no DPUs. Choose UPMEM modules as the target, such as upmem-20.</source>
        <translation>%1 hat keine DPUs. Wählen Sie UPMEM-Module als Ziel, etwa upmem-20.</translation>
    </message>
    <message>
        <source>No operator of this plan runs on DPUs: all are faster on the host, or in a type DPUs do not compute in. Try the type i8 or i16.</source>
        <translation>Kein Operator dieses Plans läuft auf DPUs: Alle sind auf dem Host schneller oder in einem Typ, in dem DPUs nicht rechnen. Versuchen Sie den Typ i8 oder i16.</translation>
    </message>
    <message>
        <source>Select an operator that runs on DPUs, in the graph or above.</source>
        <translation>Wählen Sie einen Operator, der auf DPUs läuft, im Graphen oder oben.</translation>
    </message>
    <message>
        <source>%1 does not run on DPUs. %2. Place it there, or select an operator that runs on DPUs.</source>
        <translation>%1 läuft nicht auf DPUs. %2. Platzieren Sie ihn dort, oder wählen Sie einen Operator, der auf DPUs läuft.</translation>
    </message>
    <message>
        <source>%1 runs on %2, which has no DPUs. Select an operator that runs on DPUs.</source>
        <translation>%1 läuft auf %2, das keine DPUs hat. Wählen Sie einen Operator, der auf DPUs läuft.</translation>
    </message>
    <message>
        <source>Running %1 on a DPU</source>
        <translation>%1 wird auf einer DPU ausgeführt</translation>
    </message>
    <message>
        <source>The network is being planned.</source>
        <translation>Das Netz wird geplant.</translation>
    </message>
    <message>
        <source>The operator is being run on a DPU.</source>
        <translation>Der Operator wird auf einer DPU ausgeführt.</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>too few tasklets</source>
        <translation>zu wenige Tasklets</translation>
    </message>
    <message>
        <source>MRAM bandwidth</source>
        <translation>MRAM-Bandbreite</translation>
    </message>
</context>
<context>
    <name>pim::views::OpSource</name>
    <message>
        <source>Open a model and choose a machine that computes in its memory</source>
        <translation>Öffnen Sie ein Modell und wählen Sie eine Maschine, die in ihrem Speicher rechnet</translation>
    </message>
    <message>
        <source>Select an operator that runs on PIM, in the graph or above</source>
        <translation>Wählen Sie einen Operator, der auf PIM läuft, im Graphen oder oben</translation>
    </message>
    <message>
        <source>%1 does not run on PIM. %2</source>
        <translation>%1 läuft nicht auf PIM. %2</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>Abgebrochen</translation>
    </message>
</context>
<context>
    <name>pim::views::OptionForm</name>
    <message>
        <source>Options of %1</source>
        <translation>Optionen von %1</translation>
    </message>
    <message>
        <source>What is wrong with %1</source>
        <translation>Was an %1 nicht stimmt</translation>
    </message>
    <message>
        <source>%1: your choice</source>
        <translation>%1: Ihre Wahl</translation>
    </message>
    <message>
        <source>%1: the default</source>
        <translation>%1: die Vorgabe</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Reset to the default, %1</source>
        <translation>Auf die Vorgabe zurücksetzen, %1</translation>
    </message>
    <message>
        <source>This is the default</source>
        <translation>Das ist die Vorgabe</translation>
    </message>
    <message>
        <source>%1; default: %2</source>
        <translation>%1; Vorgabe: %2</translation>
    </message>
    <message>
        <source>%1. Allowed: %2</source>
        <translation>%1. Erlaubt: %2</translation>
    </message>
    <message>
        <source>Allowed: %1. Press Enter to apply</source>
        <translation>Erlaubt: %1. Eingabe drücken, um es anzuwenden</translation>
    </message>
</context>
<context>
    <name>pim::views::OverrideEditor</name>
    <message>
        <source>Decisions about the selected op</source>
        <translation>Entscheidungen über die gewählte Op</translation>
    </message>
    <message>
        <source>%1
Press Enter to apply, Esc to take it back</source>
        <translation>%1
Eingabe wendet es an, Esc nimmt es zurück</translation>
    </message>
    <message>
        <source>What is wrong with %1</source>
        <translation>Was an %1 nicht stimmt</translation>
    </message>
    <message>
        <source>%1: your decision</source>
        <translation>%1: Ihre Entscheidung</translation>
    </message>
    <message>
        <source>%1: chosen by the compiler</source>
        <translation>%1: vom Compiler gewählt</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>Reset to the compiler&apos;s choice</source>
        <translation>Auf die Wahl des Compilers zurücksetzen</translation>
    </message>
    <message>
        <source>This is the compiler&apos;s choice</source>
        <translation>Das ist die Wahl des Compilers</translation>
    </message>
    <message>
        <source>Show More (%1 of %2)</source>
        <translation>Mehr zeigen (%1 von %2)</translation>
    </message>
    <message>
        <source>Decisions about further pieces of this op</source>
        <translation>Entscheidungen über weitere Stücke dieser Op</translation>
    </message>
</context>
<context>
    <name>pim::views::ParallelPlot</name>
    <message>
        <source>Every point of the sweep as a line over all axes</source>
        <translation>Jeder Punkt des Sweeps als Linie über alle Achsen</translation>
    </message>
    <message>
        <source>Left and right choose an axis, up and down move its brush, Esc takes all brushes away</source>
        <translation>Links und Rechts wählen eine Achse, Auf und Ab bewegen ihre Auswahl, Esc hebt jede Auswahl auf</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>Noch nichts zu vergleichen</translation>
    </message>
    <message>
        <source>%1 of %2 points</source>
        <translation>%1 von %2 Punkten</translation>
    </message>
    <message>
        <source>%1 points; drag along an axis to keep some</source>
        <translation>%1 Punkte; ziehen Sie entlang einer Achse, um einige zu behalten</translation>
    </message>
    <message>
        <source>%1
%2 to %3
Drag to keep what is within, click to keep all again; a double click takes all brushes away</source>
        <translation>%1
%2 bis %3
Ziehen behält, was darin liegt, ein Klick wieder alles; ein Doppelklick hebt jede Auswahl auf</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>, kept from %1 to %2</source>
        <translation>, behalten von %1 bis %2</translation>
    </message>
</context>
<context>
    <name>pim::views::PipelineView</name>
    <message>
        <source>Hide stages that changed nothing</source>
        <translation>Stufen verbergen, die nichts geändert haben</translation>
    </message>
    <message>
        <source>Selected op only</source>
        <translation>Nur gewählte Op</translation>
    </message>
    <message>
        <source>Compile pipeline</source>
        <translation>Pipeline des Compilers</translation>
    </message>
    <message>
        <source>Stages of the compile</source>
        <translation>Stufen des Übersetzens</translation>
    </message>
    <message>
        <source>What the stage changed</source>
        <translation>Was die Stufe geändert hat</translation>
    </message>
    <message>
        <source>Summary of the stage</source>
        <translation>Zusammenfassung der Stufe</translation>
    </message>
    <message>
        <source>Open a model to see how it is compiled</source>
        <translation>Öffnen Sie ein Modell, um zu sehen, wie es übersetzt wird</translation>
    </message>
    <message>
        <source>Comparing before and after %1…</source>
        <translation>Vor und nach %1 werden verglichen…</translation>
    </message>
    <message>
        <source>Loading the stage %1</source>
        <translation>Die Stufe %1 wird geladen</translation>
    </message>
    <message>
        <source>Cancelled; choose the stage again to repeat it</source>
        <translation>Abgebrochen; wählen Sie die Stufe erneut, um es zu wiederholen</translation>
    </message>
</context>
<context>
    <name>pim::views::PipelineWords</name>
    <message>
        <source>op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>ops</source>
        <translation>Ops</translation>
    </message>
    <message>
        <source>; option %1=%2</source>
        <translation>; Option %1=%2</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Writes each op as a loop nest that PIM can run</source>
        <translation>Schreibt jede Op als Schleifennest, das PIM ausführen kann</translation>
    </message>
    <message>
        <source>loop nest</source>
        <translation>Schleifennest</translation>
    </message>
    <message>
        <source>loop nests</source>
        <translation>Schleifennester</translation>
    </message>
    <message>
        <source>Finds the cheapest tiling draft of each loop nest</source>
        <translation>Findet den billigsten Tiling-Entwurf jedes Schleifennests</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>%1 kept</source>
        <translation>%1 behalten</translation>
    </message>
    <message>
        <source>Decides which ops run on PIM and which on the host</source>
        <translation>Entscheidet, welche Ops auf PIM laufen und welche auf dem Host</translation>
    </message>
    <message>
        <source>host only %1</source>
        <translation>nur Host %1</translation>
    </message>
    <message>
        <source>This pass changed nothing</source>
        <translation>Dieser Pass hat nichts geändert</translation>
    </message>
    <message>
        <source>%1: %2 became %3</source>
        <translation>%1: aus %2 wurden %3</translation>
    </message>
    <message>
        <source>place rewritten</source>
        <translation>Stelle umgeschrieben</translation>
    </message>
    <message>
        <source>places rewritten</source>
        <translation>Stellen umgeschrieben</translation>
    </message>
    <message>
        <source>no loop nest: %1</source>
        <translation>kein Schleifennest: %1</translation>
    </message>
    <message>
        <source>%1 of %2 drafts kept, %3 chosen%4</source>
        <translation>%1 von %2 Entwürfen behalten, %3 gewählt%4</translation>
    </message>
    <message>
        <source> by you</source>
        <translation> von Ihnen</translation>
    </message>
    <message>
        <source>%1, %2 — %3%4</source>
        <translation>%1, %2 — %3%4</translation>
    </message>
    <message>
        <source> (your decision)</source>
        <translation> (Ihre Entscheidung)</translation>
    </message>
    <message>
        <source>%1: host, %2</source>
        <translation>%1: Host, %2</translation>
    </message>
    <message>
        <source>time unknown</source>
        <translation>Zeit unbekannt</translation>
    </message>
    <message>
        <source>%1 looked at, %2 changed</source>
        <translation>%1 betrachtet, %2 geändert</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 with %2 of text for %3</source>
        <translation>%1 mit %2 Text für %3</translation>
    </message>
    <message>
        <source>program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>programs</source>
        <translation>Programme</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Generates the commands of every op on PIM; done when it is looked at and when a bundle is written</source>
        <translation>Erzeugt die Befehle jeder Op auf PIM; geschieht, wenn man hinsieht und wenn ein Bundle geschrieben wird</translation>
    </message>
    <message>
        <source>%1 on PIM</source>
        <translation>%1 auf PIM</translation>
    </message>
    <message>
        <source>This pass is switched off</source>
        <translation>Dieser Pass ist abgeschaltet</translation>
    </message>
</context>
<context>
    <name>pim::views::PredictorForm</name>
    <message>
        <source>&amp;Train</source>
        <translation>&amp;Trainieren</translation>
    </message>
    <message>
        <source>Sto&amp;p</source>
        <translation>Sto&amp;pp</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Learn kernels of the kind %1</source>
        <translation>Kernels der Art %1 lernen</translation>
    </message>
    <message>
        <source>Learn the ops of the open network</source>
        <translation>Die Ops des geöffneten Netzes lernen</translation>
    </message>
    <message>
        <source>Also learn the kernels of all ops of the open network that this machine can run</source>
        <translation>Auch die Kernels aller Ops des geöffneten Netzes lernen, die diese Maschine rechnen kann</translation>
    </message>
    <message>
        <source>Sizes of each kind</source>
        <translation>Größen je Art</translation>
    </message>
    <message>
        <source>Sizes of each kind; one of five is not learned, so that error and ranking can be measured on it</source>
        <translation>Größen je Art; eine von fünf wird nicht gelernt, damit Fehler und Rangfolge an ihr gemessen werden können</translation>
    </message>
    <message>
        <source>Trees of a form of kernels</source>
        <translation>Bäume je Form von Kernels</translation>
    </message>
    <message>
        <source>Trees that are grown for each form of kernel; those that do not help sizes held out are left away</source>
        <translation>Bäume, die je Form von Kernel wachsen; die zurückgehaltenen Größen nicht helfen, fallen weg</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Of the drafts that are drawn and of the trees: the same seed gives the same predictor</source>
        <translation>Der gezogenen Entwürfe und der Bäume: derselbe Seed ergibt denselben Prädiktor</translation>
    </message>
    <message>
        <source>gemv:32x4096, matvec:512x512</source>
        <translation>gemv:32x4096, matvec:512x512</translation>
    </message>
    <message>
        <source>Shapes of your own</source>
        <translation>Eigene Formen</translation>
    </message>
    <message>
        <source>Kernels of a kind in sizes of your own: KIND:ROWSxCOLUMNS, separated by commas</source>
        <translation>Kernels einer Art in eigenen Größen: KIND:ROWSxCOLUMNS, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>How far the training is</source>
        <translation>Wie weit das Training ist</translation>
    </message>
    <message>
        <source>State of the training</source>
        <translation>Stand des Trainings</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy as command: a pimc line that trains the same</source>
        <translation>Als Befehl kopieren: eine pimc-Zeile, die dasselbe trainiert</translation>
    </message>
    <message>
        <source>Learn kernels of the kinds</source>
        <translation>Kernels dieser Arten lernen</translation>
    </message>
    <message>
        <source>&amp;Shapes of your own</source>
        <translation>Ei&amp;gene Formen</translation>
    </message>
    <message>
        <source>Si&amp;zes of a kind</source>
        <translation>G&amp;rößen je Art</translation>
    </message>
    <message>
        <source>T&amp;rees</source>
        <translation>Bäum&amp;e</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>&amp;Seed</translation>
    </message>
    <message>
        <source>Simulate drafts of these kernels and learn from them, in a task</source>
        <translation>Entwürfe dieser Kernels simulieren und aus ihnen lernen, als Aufgabe</translation>
    </message>
    <message>
        <source>%1: %v of %m</source>
        <translation>%1: %v von %m</translation>
    </message>
    <message>
        <source>The ops of this &amp;network</source>
        <translation>Die Ops dieses &amp;Netzes</translation>
    </message>
</context>
<context>
    <name>pim::views::PredictorTraining</name>
    <message>
        <source>%1: left out, %2 of its sizes: %3</source>
        <translation>%1: ausgelassen, %2 seiner Größen: %3</translation>
    </message>
    <message>
        <source>Choose a target first.</source>
        <translation>Wählen Sie zuerst ein Ziel.</translation>
    </message>
    <message>
        <source>%1 has no drafts, so there is nothing to predict.</source>
        <translation>%1 hat keine Entwürfe; es gibt nichts vorherzusagen.</translation>
    </message>
    <message>
        <source>The ops of the network are known once it is planned.</source>
        <translation>Die Ops des Netzes sind bekannt, sobald es geplant ist.</translation>
    </message>
    <message>
        <source>Training a predictor for %1</source>
        <translation>Trainiere einen Prädiktor für %1</translation>
    </message>
    <message>
        <source>No predictor was trained: %1</source>
        <translation>Es wurde kein Prädiktor trainiert: %1</translation>
    </message>
    <message>
        <source>the predictor trained</source>
        <translation>der trainierte Prädiktor</translation>
    </message>
</context>
<context>
    <name>pim::views::PredictorView</name>
    <message>
        <source>&amp;Use in This Project</source>
        <translation>In diesem Projekt &amp;verwenden</translation>
    </message>
    <message>
        <source>Predictor of drafts</source>
        <translation>Prädiktor für Entwürfe</translation>
    </message>
    <message>
        <source>What is to be learned</source>
        <translation>Was gelernt werden soll</translation>
    </message>
    <message>
        <source>by formula</source>
        <translation>nach Formel</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>gelernt</translation>
    </message>
    <message>
        <source>Rank correlation (Spearman) of the order of drafts with that of their simulated times, %1</source>
        <translation>Rangkorrelation (Spearman) der Reihenfolge der Entwürfe mit der ihrer simulierten Zeiten, %1</translation>
    </message>
    <message>
        <source>Rank correlation (Kendall), %1</source>
        <translation>Rangkorrelation (Kendall), %1</translation>
    </message>
    <message>
        <source>By how much the draft ranked first takes longer than the fastest of all, %1</source>
        <translation>Um wie viel der erstgereihte Entwurf länger braucht als der schnellste von allen, %1</translation>
    </message>
    <message>
        <source>By how much the fastest of the ten ranked first takes longer than the fastest of all, %1</source>
        <translation>Um wie viel der schnellste der zehn erstgereihten länger braucht als der schnellste von allen, %1</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Sizes held out: none of their drafts was learned</source>
        <translation>Zurückgehaltene Größen: keiner ihrer Entwürfe wurde gelernt</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>Drafts of these that were simulated: all that may be the fastest</source>
        <translation>Deren Entwürfe, die simuliert wurden: alle, die die schnellsten sein können</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Daneben</translation>
    </message>
    <message>
        <source>Mean error of learned times of these drafts</source>
        <translation>Mittlerer Fehler der gelernten Zeiten dieser Entwürfe</translation>
    </message>
    <message>
        <source>Off, formula</source>
        <translation>Daneben, Formel</translation>
    </message>
    <message>
        <source>Mean error of the formula</source>
        <translation>Mittlerer Fehler der Formel</translation>
    </message>
    <message>
        <source>Top-1</source>
        <translation>Top-1</translation>
    </message>
    <message>
        <source>Top-1, formula</source>
        <translation>Top-1, Formel</translation>
    </message>
    <message>
        <source>Top-10</source>
        <translation>Top-10</translation>
    </message>
    <message>
        <source>Top-10, formula</source>
        <translation>Top-10, Formel</translation>
    </message>
    <message>
        <source>Spearman</source>
        <translation>Spearman</translation>
    </message>
    <message>
        <source>Spearman, formula</source>
        <translation>Spearman, Formel</translation>
    </message>
    <message>
        <source>Kendall</source>
        <translation>Kendall</translation>
    </message>
    <message>
        <source>Kendall, formula</source>
        <translation>Kendall, Formel</translation>
    </message>
    <message>
        <source>Figures of sizes held out</source>
        <translation>Werte zurückgehaltener Größen</translation>
    </message>
    <message>
        <source>Which predictor is shown</source>
        <translation>Welcher Prädiktor gezeigt wird</translation>
    </message>
    <message>
        <source>Form of kernel shown</source>
        <translation>Gezeigte Form von Kernel</translation>
    </message>
    <message>
        <source>Form of kernel that curve and features are of</source>
        <translation>Form von Kernel, zu der Kurve und Merkmale gehören</translation>
    </message>
    <message>
        <source>Training, figures and features</source>
        <translation>Training, Werte und Merkmale</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Held Out</source>
        <translation>Zurückgehalten</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>Training…</source>
        <translation>Training…</translation>
    </message>
    <message>
        <source>trained here</source>
        <translation>hier trainiert</translation>
    </message>
    <message>
        <source>ranks the drafts of this project</source>
        <translation>ordnet die Entwürfe dieses Projekts</translation>
    </message>
    <message>
        <source>shipped</source>
        <translation>mitgeliefert</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; of %2, %3 · version %4, seed %5</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; von %2, %3 · Version %4, Seed %5</translation>
    </message>
    <message>
        <source>No predictor yet</source>
        <translation>Noch kein Prädiktor</translation>
    </message>
    <message>
        <source>Train simulates drafts of the kernels chosen and learns how far the formula is off.</source>
        <translation>Trainieren simuliert Entwürfe der gewählten Kernels und lernt, wie weit die Formel danebenliegt.</translation>
    </message>
    <message>
        <source>Rank the drafts of this project by this predictor; it is kept in the project (undoable)</source>
        <translation>Die Entwürfe dieses Projekts nach diesem Prädiktor ordnen; er bleibt im Projekt (lässt sich rückgängig machen)</translation>
    </message>
    <message>
        <source>It ranks the drafts of this project already</source>
        <translation>Er ordnet die Entwürfe dieses Projekts bereits</translation>
    </message>
    <message>
        <source>Train one first</source>
        <translation>Trainieren Sie zuerst einen</translation>
    </message>
    <message>
        <source>Write this predictor as a file, for other projects and for pimc --predictor</source>
        <translation>Diesen Prädiktor als Datei schreiben, für andere Projekte und für pimc --predictor</translation>
    </message>
    <message>
        <source>It has no trees for these kernels: they did not help sizes held out</source>
        <translation>Er hat keine Bäume für diese Kernels: sie halfen zurückgehaltenen Größen nicht</translation>
    </message>
    <message>
        <source>Which features of a draft its trees gained most by</source>
        <translation>Durch welche Merkmale eines Entwurfs seine Bäume am meisten gewannen</translation>
    </message>
    <message>
        <source>The predictor is not saved</source>
        <translation>Der Prädiktor ist nicht gespeichert</translation>
    </message>
    <message>
        <source>Predictor written to %1</source>
        <translation>Prädiktor nach %1 geschrieben</translation>
    </message>
    <message>
        <source>Save the predictor</source>
        <translation>Prädiktor speichern</translation>
    </message>
    <message>
        <source>Predictors (*.predictor)</source>
        <translation>Prädiktoren (*.predictor)</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>alike</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>Learned Is</source>
        <translation>Gelernt ist</translation>
    </message>
    <message>
        <source>How the learned order of the sizes held out is to the formula&apos;s, by the time of the draft ranked first and of the fastest of those that a compile simulates; where it is better, drafts are ranked by it unasked</source>
        <translation>Wie die gelernte Reihenfolge der zurückgehaltenen Größen zu der der Formel steht, nach der Zeit des ersten Entwurfs und des schnellsten derer, die eine Übersetzung simuliert; wo sie besser ist, ordnet sie die Entwürfe ungefragt</translation>
    </message>
</context>
<context>
    <name>pim::views::ProgramBox</name>
    <message>
        <source>open model</source>
        <translation>geöffnetes Modell</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>What goes down the levels: the open model, a benchmark of CINM in the paper&apos;s size, or a text</source>
        <translation>Was die Ebenen hinuntergeht: das geöffnete Modell, ein Benchmark von CINM in der Größe des Papers oder ein Text</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Open a program in MLIR&apos;s generic form (.mlir)</source>
        <translation>Ein Programm in der generischen Form von MLIR öffnen (.mlir)</translation>
    </message>
    <message>
        <source>Open Program</source>
        <translation>Programm öffnen</translation>
    </message>
    <message>
        <source>Programs in MLIR (*.mlir);;All files (*)</source>
        <translation>Programme in MLIR (*.mlir);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>pim::views::ProgramText</name>
    <message>
        <source>Save as Text…</source>
        <translation>Als Text speichern…</translation>
    </message>
    <message>
        <source>Save Program</source>
        <translation>Programm speichern</translation>
    </message>
</context>
<context>
    <name>pim::views::ProgramView</name>
    <message>
        <source>
… export the bundle for the rest</source>
        <translation>
… für den Rest das Bundle exportieren</translation>
    </message>
    <message>
        <source>Phase %1: all groups finish it before any starts the next</source>
        <translation>Phase %1: Alle Gruppen beenden sie, bevor eine die nächste beginnt</translation>
    </message>
    <message>
        <source>Phase %1 in %2</source>
        <translation>Phase %1 in %2</translation>
    </message>
    <message>
        <source>A loop, entered %1 times in each of %2</source>
        <translation>Eine Schleife, %1-mal betreten in jeder von %2</translation>
    </message>
    <message>
        <source>%1 × in each of %2, phase %3</source>
        <translation>%1 × in jeder von %2, Phase %3</translation>
    </message>
    <message>
        <source>first burst in group %1: padding of %2</source>
        <translation>erster Burst in Gruppe %1: Auffüllung von %2</translation>
    </message>
    <message>
        <source>first burst in group %1: %2 … %3</source>
        <translation>erster Burst in Gruppe %1: %2 … %3</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Commands of the selected op</source>
        <translation>Befehle der gewählten Op</translation>
    </message>
    <message>
        <source>Go to phase</source>
        <translation>Zur Phase gehen</translation>
    </message>
    <message>
        <source>Go to a phase of the program</source>
        <translation>Zu einer Phase des Programms gehen</translation>
    </message>
    <message>
        <source>Command counts</source>
        <translation>Anzahlen der Befehle</translation>
    </message>
    <message>
        <source>What the current line does</source>
        <translation>Was die aktuelle Zeile tut</translation>
    </message>
    <message>
        <source>Generating the commands of %1</source>
        <translation>Die Befehle von %1 werden erzeugt</translation>
    </message>
    <message>
        <source>No commands to show</source>
        <translation>Keine Befehle zu zeigen</translation>
    </message>
    <message>
        <source>phase %1</source>
        <translation>Phase %1</translation>
    </message>
</context>
<context>
    <name>pim::views::ProgressPage</name>
    <message>
        <source>How far the sweep got with each point</source>
        <translation>Wie weit der Sweep mit jedem Punkt kam</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>Bisher beste</translation>
    </message>
    <message>
        <source>Objective shown</source>
        <translation>Gezeigtes Ziel</translation>
    </message>
    <message>
        <source>Which of the curves are drawn</source>
        <translation>Welche der Kurven gezeichnet sind</translation>
    </message>
    <message>
        <source>Best so far after each point</source>
        <translation>Bisher beste nach jedem Punkt</translation>
    </message>
    <message>
        <source>hypervolume, %</source>
        <translation>Hypervolumen, %</translation>
    </message>
    <message>
        <source>All curves</source>
        <translation>Alle Kurven</translation>
    </message>
    <message>
        <source>front last grew by point %1</source>
        <translation>Front zuletzt gewachsen mit Punkt %1</translation>
    </message>
    <message>
        <source>best %1: %2 by point %3</source>
        <translation>%1 am besten: %2 mit Punkt %3</translation>
    </message>
    <message>
        <source>no point with a result</source>
        <translation>kein Punkt mit Ergebnis</translation>
    </message>
    <message>
        <source>No point with a result yet</source>
        <translation>Noch kein Punkt mit Ergebnis</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>, %1 without a result</source>
        <translation>, %1 ohne Ergebnis</translation>
    </message>
    <message>
        <source>%1, %2 points: %3</source>
        <translation>%1, %2 Punkte: %3</translation>
    </message>
    <message>
        <source> · no hypervolume for more than %1 objectives</source>
        <translation> · kein Hypervolumen bei mehr als %1 Zielen</translation>
    </message>
    <message>
        <source>Points in the order they were computed, or came into a folder; those without a result count too.
Hypervolume: the part of the box between the best and the worst of all objectives that some point is at least as good as; it grows while the front moves.</source>
        <translation>Punkte in der Reihenfolge, in der sie berechnet wurden oder in einen Ordner kamen; die ohne Ergebnis zählen mit.
Hypervolumen: der Teil der Box zwischen bestem und schlechtestem Wert aller Ziele, dem ein Punkt mindestens ebenbürtig ist; es wächst, solange sich die Front bewegt.</translation>
    </message>
    <message>
        <source>points of the model computed</source>
        <translation>berechnete Punkte des Modells</translation>
    </message>
    <message>
        <source>points computed</source>
        <translation>berechnete Punkte</translation>
    </message>
</context>
<context>
    <name>pim::views::RooflineView</name>
    <message>
        <source>Roofline of a DPU</source>
        <translation>Roofline einer DPU</translation>
    </message>
    <message>
        <source>Op whose ceilings are drawn</source>
        <translation>Op, deren Obergrenzen gezeichnet sind</translation>
    </message>
    <message>
        <source>Chosen op</source>
        <translation>Gewählte Op</translation>
    </message>
    <message>
        <source>Click a dot to select its operator · Left and Right go along · drag and wheel move and zoom, double click shows all</source>
        <translation>Ein Klick auf einen Punkt wählt seinen Operator · Links und Rechts gehen weiter · Ziehen und Rad schieben und zoomen, Doppelklick zeigt alles</translation>
    </message>
    <message>
        <source>No roofline to show</source>
        <translation>Keine Roofline zu zeigen</translation>
    </message>
    <message>
        <source>Open a model and choose UPMEM modules as its target.</source>
        <translation>Öffnen Sie ein Modell und wählen Sie UPMEM-Module als Ziel.</translation>
    </message>
    <message>
        <source>Roofline: operations a cycle over operations a byte of MRAM</source>
        <translation>Roofline: Operationen je Takt über Operationen je Byte MRAM</translation>
    </message>
    <message>
        <source>Left and Right go from op to op</source>
        <translation>Links und Rechts gehen von Op zu Op</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>tasklets</source>
        <translation>Tasklets</translation>
    </message>
    <message>
        <source>MRAM bandwidth</source>
        <translation>MRAM-Bandbreite</translation>
    </message>
    <message>
        <source>operations per byte of MRAM</source>
        <translation>Operationen je Byte MRAM</translation>
    </message>
    <message>
        <source>operations per cycle</source>
        <translation>Operationen je Takt</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Ops/B</source>
        <translation>Ops/B</translation>
    </message>
    <message>
        <source>Operations for a byte that MRAM moves</source>
        <translation>Operationen je Byte, das MRAM bewegt</translation>
    </message>
    <message>
        <source>Ops/cycle</source>
        <translation>Ops/Takt</translation>
    </message>
    <message>
        <source>Products and sums, two a MAC</source>
        <translation>Produkte und Summen, zwei je MAC</translation>
    </message>
    <message>
        <source>Of ceiling</source>
        <translation>Der Obergrenze</translation>
    </message>
    <message>
        <source>Of the least of pipeline, tasklets and MRAM bandwidth</source>
        <translation>Der kleinsten aus Pipeline, Tasklets und MRAM-Bandbreite</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>The lowest ceiling over it</source>
        <translation>Die niedrigste Obergrenze über ihr</translation>
    </message>
    <message>
        <source>Cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Of its DPU</source>
        <translation>Ihrer DPU</translation>
    </message>
    <message>
        <source>Ops under the roofline</source>
        <translation>Ops unter der Roofline</translation>
    </message>
    <message>
        <source>%1 tasklets</source>
        <translation>%1 Tasklets</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;: %2 operations a cycle, %3 of its ceiling of %4 (%5)</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;: %2 Operationen je Takt, %3 ihrer Obergrenze von %4 (%5)</translation>
    </message>
    <message>
        <source>no bytes</source>
        <translation>keine Bytes</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1 operations per byte of MRAM</source>
        <translation>%1 Operationen je Byte MRAM</translation>
    </message>
    <message>
        <source>no byte of MRAM is moved</source>
        <translation>kein Byte MRAM wird bewegt</translation>
    </message>
    <message>
        <source>%1 operations per cycle, ceiling %2</source>
        <translation>%1 Operationen je Takt, Obergrenze %2</translation>
    </message>
    <message>
        <source>bound by: %1</source>
        <translation>begrenzt durch: %1</translation>
    </message>
    <message>
        <source>%1 cycles, %2 tasklets</source>
        <translation>%1 Takte, %2 Tasklets</translation>
    </message>
    <message>
        <source>%1 operators like it at this place</source>
        <translation>%1 Operatoren wie dieser an dieser Stelle</translation>
    </message>
    <message>
        <source>No roofline yet</source>
        <translation>Noch keine Roofline</translation>
    </message>
    <message>
        <source>The operators of the plan are being run, each on one DPU.</source>
        <translation>Die Operatoren des Plans werden ausgeführt, jeder auf einer DPU.</translation>
    </message>
    <message>
        <source>Roofline of the operators</source>
        <translation>Roofline der Operatoren</translation>
    </message>
    <message>
        <source>Run Again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>Running the operators was cancelled.</source>
        <translation>Das Ausführen der Operatoren wurde abgebrochen.</translation>
    </message>
</context>
<context>
    <name>pim::views::RoofsView</name>
    <message>
        <source>Roofline of all ops</source>
        <translation>Roofline aller Ops</translation>
    </message>
    <message>
        <source>What sets the time of the selected op</source>
        <translation>Was die Zeit der ausgewählten Op bestimmt</translation>
    </message>
    <message>
        <source>Roofline: operations a second over operations a byte</source>
        <translation>Roofline: Operationen je Sekunde über Operationen je Byte</translation>
    </message>
    <message>
        <source>Left and Right go from op to op</source>
        <translation>Links und Rechts gehen von Op zu Op</translation>
    </message>
    <message>
        <source>operations a byte of the memory that limits the op</source>
        <translation>Operationen je Byte des Speichers, der die Op begrenzt</translation>
    </message>
    <message>
        <source>operations a second</source>
        <translation>Operationen je Sekunde</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Of Its Roof</source>
        <translation>Von ihrem Dach</translation>
    </message>
    <message>
        <source>Of its time, what its lowest roof needs at least</source>
        <translation>Von ihrer Zeit, was ihr niedrigstes Dach mindestens braucht</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>Bestimmt durch</translation>
    </message>
    <message>
        <source>Its lowest roof</source>
        <translation>Ihr niedrigstes Dach</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>In which it is under way, simulated</source>
        <translation>In der sie unterwegs ist, simuliert</translation>
    </message>
    <message>
        <source>Op/B</source>
        <translation>Op/B</translation>
    </message>
    <message>
        <source>Operations for a byte that the slowest of its memories moves</source>
        <translation>Operationen je Byte, das der langsamste ihrer Speicher bewegt</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Operations a second; two a multiply-accumulate</source>
        <translation>Operationen je Sekunde; zwei je Multiplikation mit Addition</translation>
    </message>
    <message>
        <source>Its Roof</source>
        <translation>Ihr Dach</translation>
    </message>
    <message>
        <source>Operations a second under its lowest roof</source>
        <translation>Operationen je Sekunde unter ihrem niedrigsten Dach</translation>
    </message>
    <message>
        <source>Ops under their roofs, those that take most time on top</source>
        <translation>Ops unter ihren Dächern, die mit der meisten Zeit zuoberst</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>no bytes</source>
        <translation>keine Bytes</translation>
    </message>
    <message>
        <source>moves data</source>
        <translation>bewegt Daten</translation>
    </message>
    <message>
        <source>Each dot is an op in the colour of its lowest roof, a square one on the host. Click one, or go along with Left and Right; drag and wheel move and zoom, a double click shows all.</source>
        <translation>Jeder Punkt ist eine Op in der Farbe ihres niedrigsten Dachs, ein Quadrat eine auf dem Host. Klicken Sie einen an oder gehen Sie mit Links und Rechts; Ziehen und Mausrad verschieben und vergrößern, ein Doppelklick zeigt alles.</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; %2.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; %2.</translation>
    </message>
    <message>
        <source>%1 (%2), %3</source>
        <translation>%1 (%2), %3</translation>
    </message>
    <message>
        <source>on the host</source>
        <translation>auf dem Host</translation>
    </message>
    <message>
        <source>on the machine</source>
        <translation>auf der Maschine</translation>
    </message>
    <message>
        <source>%1 of %2 under its roof</source>
        <translation>%1 von %2 unter ihrem Dach</translation>
    </message>
    <message>
        <source>%1 operations a byte of %2</source>
        <translation>%1 Operationen je Byte von %2</translation>
    </message>
    <message>
        <source>no byte is moved</source>
        <translation>kein Byte wird bewegt</translation>
    </message>
</context>
<context>
    <name>pim::views::RunPage</name>
    <message>
        <source>Total time</source>
        <translation>Gesamtzeit</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>All ops on the host</source>
        <translation>Alle Ops auf dem Host</translation>
    </message>
    <message>
        <source>Loading resident data, once</source>
        <translation>Dauerhafte Daten laden, einmal</translation>
    </message>
    <message>
        <source>Started (UTC)</source>
        <translation>Begonnen (UTC)</translation>
    </message>
    <message>
        <source>Compiling took</source>
        <translation>Übersetzen dauerte</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Bezeichnung</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model, SHA-256 of its structure</source>
        <translation>Modell, SHA-256 seiner Struktur</translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>Dimensionen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Target, SHA-256</source>
        <translation>Ziel, SHA-256</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Overrides</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Erstellt mit</translation>
    </message>
    <message>
        <source>PIM Studio %1, backend %2</source>
        <translation>PIM Studio %1, Backend %2</translation>
    </message>
    <message>
        <source>What it was made from</source>
        <translation>Woraus er gemacht wurde</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Stored</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>How the run relates to the plan in force</source>
        <translation>Wie sich der Lauf zum geltenden Plan verhält</translation>
    </message>
    <message>
        <source>Result of repeating the run</source>
        <translation>Ergebnis der Wiederholung des Laufs</translation>
    </message>
    <message>
        <source>Inputs of the run</source>
        <translation>Eingaben des Laufs</translation>
    </message>
    <message>
        <source>Numbers that are not as stored</source>
        <translation>Zahlen, die nicht wie gespeichert sind</translation>
    </message>
    <message>
        <source>Open This Run</source>
        <translation>Diesen Lauf öffnen</translation>
    </message>
    <message>
        <source>Adopt its target, dimensions, options and decisions; can be undone</source>
        <translation>Ziel, Dimensionen, Optionen und Entscheidungen übernehmen; lässt sich rückgängig machen</translation>
    </message>
    <message>
        <source>Re-run Exactly</source>
        <translation>Genau wiederholen</translation>
    </message>
    <message>
        <source>Compile again from the same inputs and compare every number; nothing is stored</source>
        <translation>Aus denselben Eingaben noch einmal übersetzen und jede Zahl vergleichen; nichts wird gespeichert</translation>
    </message>
    <message>
        <source>Copy Link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>A pim:// link that opens this run again</source>
        <translation>Ein pim://-Link, der diesen Lauf wieder öffnet</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Remove the run and all its figures from the project (Del)</source>
        <translation>Den Lauf mit allen Zahlen aus dem Projekt entfernen (Entf)</translation>
    </message>
    <message>
        <source>Repeating run %1…</source>
        <translation>Lauf %1 wird wiederholt…</translation>
    </message>
    <message>
        <source>No plan is in force to compare this run with.</source>
        <translation>Es gilt kein Plan, mit dem dieser Lauf verglichen werden könnte.</translation>
    </message>
    <message>
        <source>✓ The plan in force is made from the same model, target and decisions as run %1.</source>
        <translation>✓ Der geltende Plan ist aus demselben Modell, Ziel und denselben Entscheidungen gemacht wie Lauf %1.</translation>
    </message>
    <message>
        <source>≠ The plan in force is not run %1. %2.</source>
        <translation>≠ Der geltende Plan ist nicht Lauf %1. %2.</translation>
    </message>
    <message>
        <source>The project is open read-only</source>
        <translation>Das Projekt ist schreibgeschützt geöffnet</translation>
    </message>
    <message>
        <source>✓ Repeated: %1.</source>
        <translation>✓ Wiederholt: %1.</translation>
    </message>
    <message>
        <source>≠ Made again, %1.</source>
        <translation>≠ Neu gemacht, %1.</translation>
    </message>
</context>
<context>
    <name>pim::views::RunsModel</name>
    <message>
        <source>%1 ns, %2</source>
        <translation>%1 ns, %2</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>All ops on %1: %2</source>
        <translation>Alle Ops auf %1: %2</translation>
    </message>
    <message>
        <source>The fastest run of %1 with these dimensions on %2</source>
        <translation>Der schnellste Lauf von %1 mit diesen Dimensionen auf %2</translation>
    </message>
    <message>
        <source>%1 over %2</source>
        <translation>%1 gegenüber %2</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>nicht lesbar</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Number of the run in the project</source>
        <translation>Nummer des Laufs im Projekt</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Local time</source>
        <translation>Ortszeit</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Model and values of its open dimensions</source>
        <translation>Modell und Werte seiner offenen Dimensionen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>The machine</source>
        <translation>Die Maschine</translation>
    </message>
    <message>
        <source>Best</source>
        <translation>Bester</translation>
    </message>
    <message>
        <source>★ the fastest run of the same model, dimensions and target</source>
        <translation>★ der schnellste Lauf mit gleichem Modell, gleichen Dimensionen und gleichem Ziel</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Time of the whole network</source>
        <translation>Zeit des ganzen Netzes</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Over all ops on the host</source>
        <translation>Gegenüber allen Ops auf dem Host</translation>
    </message>
    <message>
        <source>Overrides</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>Decisions of the user</source>
        <translation>Entscheidungen des Benutzers</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Named set of overrides</source>
        <translation>Benannte Menge von Vorgaben</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Bezeichnung</translation>
    </message>
    <message>
        <source>Your label; F2 changes it</source>
        <translation>Ihre Bezeichnung; F2 ändert sie</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Your note; F2 changes it</source>
        <translation>Ihre Notiz; F2 ändert sie</translation>
    </message>
    <message>
        <source>Compile time</source>
        <translation>Übersetzungszeit</translation>
    </message>
    <message>
        <source>How long compiling took</source>
        <translation>Wie lange das Übersetzen dauerte</translation>
    </message>
</context>
<context>
    <name>pim::views::RunsView</name>
    <message>
        <source>Comparison of runs</source>
        <translation>Vergleich von Läufen</translation>
    </message>
    <message>
        <source>Run history</source>
        <translation>Verlauf der Läufe</translation>
    </message>
    <message>
        <source>Table of runs</source>
        <translation>Tabelle der Läufe</translation>
    </message>
    <message>
        <source>Filter: words, target:attacc, faster:1ms, since:2026-05-01, is:best</source>
        <translation>Filter: Wörter, target:attacc, faster:1ms, since:2026-05-01, is:best</translation>
    </message>
    <message>
        <source>Filter of the runs</source>
        <translation>Filter der Läufe</translation>
    </message>
    <message>
        <source>Add Filter</source>
        <translation>Filter hinzufügen</translation>
    </message>
    <message>
        <source>Add a filter</source>
        <translation>Einen Filter hinzufügen</translation>
    </message>
    <message>
        <source>Add a term to the filter from the values found in the runs</source>
        <translation>Dem Filter einen Begriff aus den Werten hinzufügen, die in den Läufen vorkommen</translation>
    </message>
    <message>
        <source>How many runs are shown</source>
        <translation>Wie viele Läufe gezeigt werden</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Rückfrage</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>The last 7 days</source>
        <translation>Den letzten 7 Tagen</translation>
    </message>
    <message>
        <source>The last 30 days</source>
        <translation>Den letzten 30 Tagen</translation>
    </message>
    <message>
        <source>Best Runs Only</source>
        <translation>Nur beste Läufe</translation>
    </message>
    <message>
        <source>Faster Than the Selected Run</source>
        <translation>Schneller als der gewählte Lauf</translation>
    </message>
    <message>
        <source>Clear Filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>nicht verstanden</translation>
    </message>
    <message>
        <source>%1 runs</source>
        <translation>%1 Läufe</translation>
    </message>
    <message>
        <source>%1 of %2 runs</source>
        <translation>%1 von %2 Läufen</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>Noch keine Läufe</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Kein Projekt</translation>
    </message>
    <message>
        <source>Every compile from now on is kept here as a run.</source>
        <translation>Von nun an wird hier jede Übersetzung als Lauf behalten.</translation>
    </message>
    <message>
        <source>Save the project: from then on every compile is kept as a run.</source>
        <translation>Speichern Sie das Projekt: Von da an wird jede Übersetzung als Lauf behalten.</translation>
    </message>
    <message>
        <source>Save Project…</source>
        <translation>Projekt speichern…</translation>
    </message>
    <message>
        <source>Select a run</source>
        <translation>Einen Lauf wählen</translation>
    </message>
    <message>
        <source>There is only one run so far: change a decision and compile again, then compare both.</source>
        <translation>Bisher gibt es nur einen Lauf: Ändern Sie eine Entscheidung und übersetzen Sie erneut, dann vergleichen Sie beide.</translation>
    </message>
    <message>
        <source>One run shows what it was made from; two or more (Ctrl+click) are compared.</source>
        <translation>Ein Lauf zeigt, woraus er gemacht wurde; zwei oder mehr (Strg+Klick) werden verglichen.</translation>
    </message>
    <message>
        <source>%1 runs are selected</source>
        <translation>%1 Läufe sind gewählt</translation>
    </message>
    <message>
        <source>Up to %1 can be compared at once.</source>
        <translation>Bis zu %1 lassen sich auf einmal vergleichen.</translation>
    </message>
    <message>
        <source>Reading %1 runs…</source>
        <translation>%1 Läufe werden gelesen…</translation>
    </message>
    <message>
        <source>The runs cannot be read</source>
        <translation>Die Läufe sind nicht lesbar</translation>
    </message>
    <message>
        <source>Open This Run</source>
        <translation>Diesen Lauf öffnen</translation>
    </message>
    <message>
        <source>Re-run Exactly</source>
        <translation>Genau wiederholen</translation>
    </message>
    <message>
        <source>Copy Link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>Change Label</source>
        <translation>Bezeichnung ändern</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Delete %1 Runs…</source>
        <translation>%1 Läufe löschen…</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Delete %1? All figures stored with it go too; this cannot be undone.</source>
        <translation>%1 löschen? Alle damit gespeicherten Zahlen gehen mit; das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Reading runs</source>
        <translation>Läufe werden gelesen</translation>
    </message>
    <message>
        <source>Repeating run %1</source>
        <translation>Lauf %1 wird wiederholt</translation>
    </message>
    <message>
        <source>The run cannot be repeated: %1</source>
        <translation>Der Lauf lässt sich nicht wiederholen: %1</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>Labelling run %1</source>
        <translation>Lauf %1 wird bezeichnet</translation>
    </message>
    <message>
        <source>Noting something on run %1</source>
        <translation>Zu Lauf %1 wird etwas notiert</translation>
    </message>
    <message>
        <source>The label of run %1 was changed.</source>
        <translation>Die Bezeichnung von Lauf %1 wurde geändert.</translation>
    </message>
    <message>
        <source>The note on run %1 was changed.</source>
        <translation>Die Notiz zu Lauf %1 wurde geändert.</translation>
    </message>
    <message>
        <source>A link leads into a project: save it first</source>
        <translation>Ein Link führt in ein Projekt: Speichern Sie es zuerst</translation>
    </message>
    <message>
        <source>Copied the link to run %1</source>
        <translation>Der Link zu Lauf %1 wurde kopiert</translation>
    </message>
    <message>
        <source>Deleting runs</source>
        <translation>Läufe werden gelöscht</translation>
    </message>
</context>
<context>
    <name>pim::views::ScatterMatrix</name>
    <message>
        <source>Axes and figures of the sweep in pairs</source>
        <translation>Achsen und Kennzahlen des Sweeps in Paaren</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Columns of the scatter matrix</source>
        <translation>Spalten der Streumatrix</translation>
    </message>
    <message>
        <source>Which axes and figures are set against each other, up to %1</source>
        <translation>Welche Achsen und Kennzahlen gegeneinander gestellt werden, bis zu %1</translation>
    </message>
    <message>
        <source>Objectives and Figures That Vary</source>
        <translation>Ziele und Kennzahlen, die sich ändern</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 of %2 points</source>
        <translation>%1 von %2 Punkten</translation>
    </message>
    <message>
        <source>%1 points; drag to keep some</source>
        <translation>%1 Punkte; durch Ziehen einige behalten</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>Noch nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Left and Right go from point to point, Esc takes all brushes away, Enter opens the chosen point</source>
        <translation>Links und Rechts gehen von Punkt zu Punkt, Esc nimmt alle Auswahlbereiche weg, Eingabe öffnet den gewählten Punkt</translation>
    </message>
    <message>
        <source>on the front</source>
        <translation>auf der Front</translation>
    </message>
    <message>
        <source>not within the brushes</source>
        <translation>nicht in den Auswahlbereichen</translation>
    </message>
    <message>
        <source>point %1</source>
        <translation>Punkt %1</translation>
    </message>
</context>
<context>
    <name>pim::views::SearchBar</name>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Method of the search</source>
        <translation>Suchverfahren</translation>
    </message>
    <message>
        <source>NSGA-II</source>
        <translation>NSGA-II</translation>
    </message>
    <message>
        <source>Breeds points from the best so far, and computes the neighbours of what it found</source>
        <translation>Züchtet Punkte aus den bisher besten und berechnet die Nachbarn des Gefundenen</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Zufall</translation>
    </message>
    <message>
        <source>Draws points, each as likely as any other</source>
        <translation>Zieht Punkte, jeden so wahrscheinlich wie jeden anderen</translation>
    </message>
    <message>
        <source>Points computed at most</source>
        <translation>Höchstzahl berechneter Punkte</translation>
    </message>
    <message>
        <source>Points that the search computes at most</source>
        <translation>Punkte, die die Suche höchstens berechnet</translation>
    </message>
    <message>
        <source>Seed of the search</source>
        <translation>Seed der Suche</translation>
    </message>
    <message>
        <source>Another seed, another search; the same seed, the same points</source>
        <translation>Anderer Seed, andere Suche; gleicher Seed, gleiche Punkte</translation>
    </message>
    <message>
        <source>What the front is by</source>
        <translation>Wonach die Front geht</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>wie üblich</translation>
    </message>
    <message>
        <source>Figures that the front is by, separated by commas: total_ns, area_mm2, power_w, macs_per_s or figures of your own</source>
        <translation>Kennzahlen, nach denen die Front geht, durch Kommas getrennt: total_ns, area_mm2, power_w, macs_per_s oder eigene</translation>
    </message>
    <message>
        <source>&amp;Method</source>
        <translation>&amp;Verfahren</translation>
    </message>
    <message>
        <source>Po&amp;ints</source>
        <translation>Pun&amp;kte</translation>
    </message>
    <message>
        <source>See&amp;d</source>
        <translation>S&amp;eed</translation>
    </message>
    <message>
        <source>&amp;Front by</source>
        <translation>Fron&amp;t nach</translation>
    </message>
</context>
<context>
    <name>pim::views::SearchPanel</name>
    <message>
        <source>Best found so far over time</source>
        <translation>Bisher Bestes über die Zeit</translation>
    </message>
    <message>
        <source>Layouts that nothing beats in throughput, latency and energy at once</source>
        <translation>Layouts, die nichts zugleich in Durchsatz, Latenz und Energie übertrifft</translation>
    </message>
    <message>
        <source>Trade-off shown</source>
        <translation>Gezeigter Kompromiss</translation>
    </message>
    <message>
        <source>Click a layout to see its figures</source>
        <translation>Klicken Sie auf ein Layout, um seine Zahlen zu sehen</translation>
    </message>
    <message>
        <source>period</source>
        <translation>Periode</translation>
    </message>
    <message>
        <source>estimated latency</source>
        <translation>geschätzte Latenz</translation>
    </message>
    <message>
        <source>programs timed</source>
        <translation>gemessene Programme</translation>
    </message>
    <message>
        <source>layouts estimated</source>
        <translation>geschätzte Layouts</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>Layout</translation>
    </message>
    <message>
        <source>this plan</source>
        <translation>dieser Plan</translation>
    </message>
    <message>
        <source>between samples, estimated</source>
        <translation>zwischen Samples, geschätzt</translation>
    </message>
    <message>
        <source>latency, estimated</source>
        <translation>Latenz, geschätzt</translation>
    </message>
    <message>
        <source>No trade-offs were kept</source>
        <translation>Es wurden keine Kompromisse behalten</translation>
    </message>
    <message>
        <source>One layout beats all others</source>
        <translation>Ein Layout übertrifft alle anderen</translation>
    </message>
    <message>
        <source>%1 trade-offs; fuller: less energy, ringed: this plan</source>
        <translation>%1 Kompromisse; voller: weniger Energie, umringt: dieser Plan</translation>
    </message>
    <message>
        <source>%1 trade-offs; fuller: less energy</source>
        <translation>%1 Kompromisse; voller: weniger Energie</translation>
    </message>
    <message>
        <source>every %1, first after %2</source>
        <translation>alle %1, das erste nach %2</translation>
    </message>
    <message>
        <source>, %1</source>
        <translation>, %1</translation>
    </message>
</context>
<context>
    <name>pim::views::SegmentCanvas</name>
    <message>
        <source>%1 cycles</source>
        <translation>%1 Takte</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source> ✎ decided by you</source>
        <translation> ✎ von Ihnen entschieden</translation>
    </message>
    <message>
        <source>inside the segment</source>
        <translation>im Segment</translation>
    </message>
    <message>
        <source>write-back before it</source>
        <translation>Zurückschreiben davor</translation>
    </message>
    <message>
        <source>switching</source>
        <translation>Umschalten</translation>
    </message>
    <message>
        <source>rewriting weights</source>
        <translation>Gewichte neu schreiben</translation>
    </message>
    <message>
        <source>together</source>
        <translation>zusammen</translation>
    </message>
    <message>
        <source>switched to memory</source>
        <translation>auf Speicher geschaltet</translation>
    </message>
    <message>
        <source>%1 arrays</source>
        <translation>%1 Arrays</translation>
    </message>
    <message>
        <source>switched to compute</source>
        <translation>auf Rechnen geschaltet</translation>
    </message>
    <message>
        <source>%1 arrays%2</source>
        <translation>%1 Arrays%2</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>fewest compute</source>
        <translation>mindestens Rechnen</translation>
    </message>
    <message>
        <source>segment</source>
        <translation>Segment</translation>
    </message>
    <message>
        <source>%1, %2 of %3 arrays used</source>
        <translation>%1, %2 von %3 Arrays verwendet</translation>
    </message>
    <message>
        <source>border before it</source>
        <translation>Grenze davor</translation>
    </message>
    <message>
        <source>✎ decided by you</source>
        <translation>✎ von Ihnen entschieden</translation>
    </message>
    <message>
        <source>joined to the piece before</source>
        <translation>mit dem Stück davor verbunden</translation>
    </message>
    <message>
        <source>Border before %1</source>
        <translation>Grenze vor %1</translation>
    </message>
    <message>
        <source>Move Segment Border to %1</source>
        <translation>Segmentgrenze zu %1 verschieben</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>%1 zurücksetzen</translation>
    </message>
    <message>
        <source>A segment keeps one piece at least; Delete joins it with the one before</source>
        <translation>Ein Segment behält mindestens ein Stück; Entf verbindet es mit dem davor</translation>
    </message>
    <message>
        <source>rewrite</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>write-back</source>
        <translation>Zurückschreiben</translation>
    </message>
    <message>
        <source>switch</source>
        <translation>Wechsel</translation>
    </message>
    <message>
        <source>compute arrays</source>
        <translation>Rechen-Arrays</translation>
    </message>
    <message>
        <source>memory arrays</source>
        <translation>Speicher-Arrays</translation>
    </message>
    <message>
        <source>decided by you</source>
        <translation>von Ihnen entschieden</translation>
    </message>
    <message>
        <source>Cycles:</source>
        <translation>Takte:</translation>
    </message>
    <message>
        <source> · %1 of all cycles</source>
        <translation> · %1 aller Takte</translation>
    </message>
    <message>
        <source>%1 the same segment ▸</source>
        <translation>%1 dasselbe Segment ▸</translation>
    </message>
    <message>
        <source>%1 these %2 segments ▸</source>
        <translation>%1 diese %2 Segmente ▸</translation>
    </message>
    <message>
        <source>%1 unfolded ▾</source>
        <translation>%1 aufgeklappt ▾</translation>
    </message>
    <message>
        <source>Segment %1 · %2 of %3 arrays</source>
        <translation>Segment %1 · %2 von %3 Arrays</translation>
    </message>
    <message>
        <source>Segment %1</source>
        <translation>Segment %1</translation>
    </message>
    <message>
        <source>%1 cycles · %2 switched</source>
        <translation>%1 Takte · %2 umgeschaltet</translation>
    </message>
    <message>
        <source>segment starts with %1</source>
        <translation>Segment beginnt mit %1</translation>
    </message>
    <message>
        <source>not here</source>
        <translation>nicht hier</translation>
    </message>
    <message>
        <source>arrays</source>
        <translation>Arrays</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>&lt;b&gt;Segment %1&lt;/b&gt;</source>
        <translation>&lt;b&gt;Segment %1&lt;/b&gt;</translation>
    </message>
    <message>
        <source>&lt;b&gt;Segment %1 starts with %2&lt;/b&gt;%3</source>
        <translation>&lt;b&gt;Segment %1 beginnt mit %2&lt;/b&gt;%3</translation>
    </message>
</context>
<context>
    <name>pim::views::SegmentEditor</name>
    <message>
        <source>Segments of the network</source>
        <translation>Segmente des Netzes</translation>
    </message>
    <message>
        <source>This plan has no segments</source>
        <translation>Dieser Plan hat keine Segmente</translation>
    </message>
    <message>
        <source>Choose a target whose arrays switch between compute and memory, such as dynaplasia; the segments of the network appear here.</source>
        <translation>Wählen Sie ein Ziel, dessen Arrays zwischen Rechnen und Speicher umschalten, etwa dynaplasia; hier erscheinen die Segmente des Netzes.</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Chosen piece</source>
        <translation>Gewähltes Stück</translation>
    </message>
    <message>
        <source>Compute arrays</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Exactly this many arrays of the piece compute</source>
        <translation>Genau so viele Arrays des Stücks rechnen</translation>
    </message>
    <message>
        <source>Memory arrays</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Exactly this many arrays hold its inputs and output</source>
        <translation>Genau so viele Arrays halten seine Eingänge und seinen Ausgang</translation>
    </message>
    <message>
        <source>Split before</source>
        <translation>Davor teilen</translation>
    </message>
    <message>
        <source>A segment starts with this piece (S or Insert)</source>
        <translation>Ein Segment beginnt mit diesem Stück (S oder Einfg)</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>No segment starts with this piece: it runs with the one before (Delete on a border)</source>
        <translation>Kein Segment beginnt mit diesem Stück: Es läuft mit dem davor (Entf auf einer Grenze)</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Rücksetzen</translation>
    </message>
    <message>
        <source>Let the compiler decide about this piece again (Backspace)</source>
        <translation>Wieder den Compiler über dieses Stück entscheiden lassen (Rücktaste)</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1 cycles&lt;/b&gt;</source>
        <translation>&lt;b&gt;%1 Takte&lt;/b&gt;</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source> predicted</source>
        <translation> vorhergesagt</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; over %2</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; gegenüber %2</translation>
    </message>
    <message>
        <source>all arrays compute</source>
        <translation>alle Arrays rechnen</translation>
    </message>
    <message>
        <source>1 segment</source>
        <translation>1 Segment</translation>
    </message>
    <message>
        <source>%1 segments</source>
        <translation>%1 Segmente</translation>
    </message>
    <message>
        <source>1 switch</source>
        <translation>1 Umschaltung</translation>
    </message>
    <message>
        <source>%1 switches</source>
        <translation>%1 Umschaltungen</translation>
    </message>
    <message>
        <source>%1 of array time in memory mode</source>
        <translation>%1 der Array-Zeit im Speichermodus</translation>
    </message>
    <message>
        <source>being recomputed</source>
        <translation>wird neu berechnet</translation>
    </message>
    <message>
        <source>%1 cycles</source>
        <translation>%1 Takte</translation>
    </message>
    <message>
        <source>Choose a piece,&lt;br&gt;or drag the border of a segment</source>
        <translation>Wählen Sie ein Stück,&lt;br&gt;oder ziehen Sie die Grenze eines Segments</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;%2 of segment %3%4</source>
        <translation>&lt;b&gt;%1&lt;/b&gt;&lt;br&gt;%2 von Segment %3%4</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>part</source>
        <translation>Teil</translation>
    </message>
</context>
<context>
    <name>pim::views::ShareBars</name>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>issued</source>
        <translation>ausgeführt</translation>
    </message>
    <message>
        <source>an instruction of some tasklet was issued</source>
        <translation>eine Instruktion eines Tasklets wurde ausgeführt</translation>
    </message>
    <message>
        <source>waited for DMA</source>
        <translation>auf DMA gewartet</translation>
    </message>
    <message>
        <source>no tasklet could issue, one waits for a DMA</source>
        <translation>kein Tasklet konnte eine Instruktion ausführen, eines wartet auf einen DMA</translation>
    </message>
    <message>
        <source>waited else</source>
        <translation>sonst gewartet</translation>
    </message>
    <message>
        <source>no tasklet could issue: within 11 cycles of its last instruction, or asleep</source>
        <translation>kein Tasklet konnte eine Instruktion ausführen: in den 11 Takten nach seiner letzten oder schlafend</translation>
    </message>
    <message>
        <source>register banks</source>
        <translation>Registerbänke</translation>
    </message>
    <message>
        <source>held up: two registers of one bank were read</source>
        <translation>aufgehalten: zwei Register einer Bank wurden gelesen</translation>
    </message>
    <message>
        <source>tasklet %1</source>
        <translation>Tasklet %1</translation>
    </message>
    <message>
        <source>its instructions, a cycle each</source>
        <translation>seine Instruktionen, je ein Takt</translation>
    </message>
    <message>
        <source>revolver</source>
        <translation>Revolver</translation>
    </message>
    <message>
        <source>within 11 cycles of its last instruction</source>
        <translation>in den 11 Takten nach seiner letzten Instruktion</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>could have issued: another tasklet did, or the pipeline was held up</source>
        <translation>hätte eine Instruktion ausführen können: Ein anderes Tasklet tat es, oder die Pipeline war aufgehalten</translation>
    </message>
    <message>
        <source>DMA</source>
        <translation>DMA</translation>
    </message>
    <message>
        <source>waited for its DMA</source>
        <translation>wartete auf seinen DMA</translation>
    </message>
    <message>
        <source>asleep</source>
        <translation>schlafend</translation>
    </message>
    <message>
        <source>at a lock or barrier, not begun, or ended</source>
        <translation>an Lock oder Barriere, nicht begonnen oder beendet</translation>
    </message>
    <message>
        <source>Where the cycles went</source>
        <translation>Wo die Takte blieben</translation>
    </message>
    <message>
        <source>%1 instructions a cycle</source>
        <translation>%1 Instruktionen je Takt</translation>
    </message>
    <message>
        <source>at most %1 with %2 tasklets</source>
        <translation>höchstens %1 mit %2 Tasklets</translation>
    </message>
    <message>
        <source>%1 %2 (%3 cycles)</source>
        <translation>%1 %2 (%3 Takte)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2 of %3 cycles, %4 — %5</source>
        <translation>%1: %2 von %3 Takten, %4 — %5</translation>
    </message>
</context>
<context>
    <name>pim::views::SimulationSource</name>
    <message>
        <source>Open a model to simulate it</source>
        <translation>Öffnen Sie ein Modell, um es zu simulieren</translation>
    </message>
    <message>
        <source>The network is being planned</source>
        <translation>Das Netz wird geplant</translation>
    </message>
    <message>
        <source>Not simulated yet: Model › Simulate does it</source>
        <translation>Noch nicht simuliert: Modell › Simulieren tut es</translation>
    </message>
    <message>
        <source>Simulating…</source>
        <translation>Wird simuliert…</translation>
    </message>
    <message>
        <source>Simulating %1</source>
        <translation>%1 wird simuliert</translation>
    </message>
    <message>
        <source>The simulation was cancelled</source>
        <translation>Die Simulation wurde abgebrochen</translation>
    </message>
</context>
<context>
    <name>pim::views::SpeedMapView</name>
    <message>
        <source>Speed over compute and memory arrays</source>
        <translation>Geschwindigkeit über Rechen- und Speicher-Arrays</translation>
    </message>
    <message>
        <source>There is no speed map yet</source>
        <translation>Es gibt noch keine Geschwindigkeitskarte</translation>
    </message>
    <message>
        <source>Open a model and choose a target whose arrays switch between compute and memory.</source>
        <translation>Öffnen Sie ein Modell und wählen Sie ein Ziel, dessen Arrays zwischen Rechnen und Speicher umschalten.</translation>
    </message>
    <message>
        <source>Heatmap of the speed over counts of compute and memory arrays</source>
        <translation>Heatmap der Geschwindigkeit über die Anzahlen der Rechen- und Speicher-Arrays</translation>
    </message>
    <message>
        <source>segments of the plan</source>
        <translation>Segmente des Plans</translation>
    </message>
    <message>
        <source>best mix</source>
        <translation>beste Mischung</translation>
    </message>
    <message>
        <source>Best mix of arrays</source>
        <translation>Beste Mischung der Arrays</translation>
    </message>
    <message>
        <source>What is under the pointer</source>
        <translation>Was unter dem Zeiger liegt</translation>
    </message>
    <message>
        <source>best with &lt;b&gt;%1&lt;/b&gt; %2 and &lt;b&gt;%3&lt;/b&gt; %4</source>
        <translation>am besten mit &lt;b&gt;%1&lt;/b&gt; %2 und &lt;b&gt;%3&lt;/b&gt; %4</translation>
    </message>
    <message>
        <source>Point at a cell; drag and wheel move and zoom, double click shows all</source>
        <translation>Auf eine Zelle zeigen; Ziehen und Rad schieben und zoomen, Doppelklick zeigt alles</translation>
    </message>
    <message>
        <source>%1 %2, %3 %4</source>
        <translation>%1 %2, %3 %4</translation>
    </message>
    <message>
        <source>: %1 %2</source>
        <translation>: %1 %2</translation>
    </message>
    <message>
        <source>: more than there are</source>
        <translation>: mehr als vorhanden</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source> · %1, %2 of the time</source>
        <translation> · %1, %2 der Zeit</translation>
    </message>
    <message>
        <source>compute arrays</source>
        <translation>Rechen-Arrays</translation>
    </message>
    <message>
        <source>memory arrays</source>
        <translation>Speicher-Arrays</translation>
    </message>
    <message>
        <source>share of the best speed</source>
        <translation>Anteil am Optimum</translation>
    </message>
    <message>
        <source>segment %1</source>
        <translation>Segment %1</translation>
    </message>
    <message>
        <source>several segments</source>
        <translation>mehrere Segmente</translation>
    </message>
    <message>
        <source>No map of array counts</source>
        <translation>Keine Karte der Array-Anzahlen</translation>
    </message>
    <message>
        <source>Only dual-mode chips have arrays that compute or hold data.</source>
        <translation>Nur Dual-Mode-Chips haben Arrays, die rechnen oder Daten halten.</translation>
    </message>
    <message>
        <source>Open a model and choose a dual-mode chip.</source>
        <translation>Öffnen Sie ein Modell und wählen Sie einen Dual-Mode-Chip.</translation>
    </message>
    <message>
        <source>Map of array counts</source>
        <translation>Karte der Array-Anzahlen</translation>
    </message>
    <message>
        <source>Arrow keys go from mix to mix, Home to the best one</source>
        <translation>Pfeiltasten gehen von Aufteilung zu Aufteilung, Pos1 zur besten</translation>
    </message>
</context>
<context>
    <name>pim::views::SqlConsole</name>
    <message>
        <source>Run</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>More Rows</source>
        <translation>Mehr Zeilen</translation>
    </message>
    <message>
        <source>SQL console</source>
        <translation>SQL-Konsole</translation>
    </message>
    <message>
        <source>Table, column</source>
        <translation>Tabelle, Spalte</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Tables, views and columns</source>
        <translation>Tabellen, Sichten und Spalten</translation>
    </message>
    <message>
        <source>Enter or double-click puts the name into the query</source>
        <translation>Eingabe oder Doppelklick setzt den Namen in die Abfrage</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Kein Projekt</translation>
    </message>
    <message>
        <source>Save the project to query its runs in SQL.</source>
        <translation>Speichern Sie das Projekt, um seine Läufe mit SQL abzufragen.</translation>
    </message>
    <message>
        <source>Save Project…</source>
        <translation>Projekt speichern…</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Abfrage</translation>
    </message>
    <message>
        <source>SELECT … (Ctrl+Enter runs it, Ctrl+Space completes; the project is only read)</source>
        <translation>SELECT … (Strg+Eingabe führt sie aus, Strg+Leertaste ergänzt; das Projekt wird nur gelesen)</translation>
    </message>
    <message>
        <source>Result of the query</source>
        <translation>Ergebnis der Abfrage</translation>
    </message>
    <message>
        <source>Run the query (Ctrl+Enter)</source>
        <translation>Die Abfrage ausführen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Stop the query</source>
        <translation>Die Abfrage anhalten</translation>
    </message>
    <message>
        <source>Run it again and read ten times as many rows</source>
        <translation>Sie noch einmal ausführen und zehnmal so viele Zeilen lesen</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Example queries; one click runs them</source>
        <translation>Beispielabfragen; ein Klick führt sie aus</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Frühere</translation>
    </message>
    <message>
        <source>Queries of this project, newest first</source>
        <translation>Abfragen dieses Projekts, neueste zuerst</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gemerkte</translation>
    </message>
    <message>
        <source>Queries of this project that have a name</source>
        <translation>Abfragen dieses Projekts, die einen Namen haben</translation>
    </message>
    <message>
        <source>view</source>
        <translation>Sicht</translation>
    </message>
    <message>
        <source>table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>Läuft…</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>%1; there are more. %2</source>
        <translation>%1; es gibt mehr. %2</translation>
    </message>
    <message>
        <source>1 row, %1</source>
        <translation>1 Zeile, %1</translation>
    </message>
    <message>
        <source>%1 rows, %2</source>
        <translation>%1 Zeilen, %2</translation>
    </message>
    <message>
        <source>No queries yet</source>
        <translation>Noch keine Abfragen</translation>
    </message>
    <message>
        <source>Save Query</source>
        <translation>Abfrage speichern</translation>
    </message>
    <message>
        <source>Name of the query; one of that name is replaced:</source>
        <translation>Name der Abfrage; eine gleichen Namens wird ersetzt:</translation>
    </message>
    <message>
        <source>Save This Query…</source>
        <translation>Diese Abfrage speichern…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>The answer as a table or as a plot</source>
        <translation>Die Antwort als Tabelle oder als Diagramm</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>Diagramm</translation>
    </message>
</context>
<context>
    <name>pim::views::SqlEditor</name>
    <message>
        <source>What the word may become</source>
        <translation>Was aus dem Wort werden kann</translation>
    </message>
</context>
<context>
    <name>pim::views::SqlPlot</name>
    <message>
        <source>Plot of the answer</source>
        <translation>Diagramm der Antwort</translation>
    </message>
    <message>
        <source>What the plot leaves out</source>
        <translation>Was das Diagramm auslässt</translation>
    </message>
    <message>
        <source>Column of the horizontal axis</source>
        <translation>Spalte der waagrechten Achse</translation>
    </message>
    <message>
        <source>Columns of the vertical axis</source>
        <translation>Spalten der senkrechten Achse</translation>
    </message>
    <message>
        <source>Columns of the vertical axis; several may be chosen</source>
        <translation>Spalten der senkrechten Achse; mehrere können gewählt werden</translation>
    </message>
    <message>
        <source>Kind of plot</source>
        <translation>Art des Diagramms</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Linie</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>Balken</translation>
    </message>
    <message>
        <source>Across</source>
        <translation>Waagrecht</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Senkrecht</translation>
    </message>
    <message>
        <source>No plot</source>
        <translation>Kein Diagramm</translation>
    </message>
    <message>
        <source>row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>The columns have different units and share one axis.</source>
        <translation>Die Spalten haben verschiedene Einheiten und teilen sich eine Achse.</translation>
    </message>
    <message>
        <source>%1 over %2</source>
        <translation>%1 über %2</translation>
    </message>
</context>
<context>
    <name>pim::views::StackedBars</name>
    <message>
        <source>input rearrangement</source>
        <translation>Umordnung der Eingänge</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>output rearrangement</source>
        <translation>Umordnung der Ausgänge</translation>
    </message>
    <message>
        <source>mode switch</source>
        <translation>Moduswechsel</translation>
    </message>
    <message>
        <source>weight rewrite</source>
        <translation>Gewichte neu schreiben</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Times by part</source>
        <translation>Zeiten nach Teilen</translation>
    </message>
    <message>
        <source>total</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>total %1</source>
        <translation>gesamt %1</translation>
    </message>
    <message>
        <source>%1 %2, %3</source>
        <translation>%1 %2, %3</translation>
    </message>
</context>
<context>
    <name>pim::views::StageModel</name>
    <message>
        <source>%1
Clear the check box to skip this pass.</source>
        <translation>%1
Das Häkchen entfernen, um diesen Pass zu überspringen.</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Time (ms)</source>
        <translation>Zeit (ms)</translation>
    </message>
    <message>
        <source>Rewrites of a pass; what a planning step handled</source>
        <translation>Umschreibungen eines Passes; was ein Planungsschritt behandelt hat</translation>
    </message>
</context>
<context>
    <name>pim::views::StudioStyle</name>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
</context>
<context>
    <name>pim::views::SweepPanel</name>
    <message>
        <source>Simulated, ns</source>
        <translation>Simuliert, ns</translation>
    </message>
    <message>
        <source>simulated time, ns</source>
        <translation>simulierte Zeit, ns</translation>
    </message>
    <message>
        <source>Area, mm²</source>
        <translation>Fläche, mm²</translation>
    </message>
    <message>
        <source>silicon, mm²</source>
        <translation>Silizium, mm²</translation>
    </message>
    <message>
        <source>Energy, pJ</source>
        <translation>Energie, pJ</translation>
    </message>
    <message>
        <source>energy with its host, pJ</source>
        <translation>Energie mit Host, pJ</translation>
    </message>
    <message>
        <source>Power, W</source>
        <translation>Leistung, W</translation>
    </message>
    <message>
        <source>power on average, W</source>
        <translation>mittlere Leistung, W</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>the host alone</source>
        <translation>der Host allein</translation>
    </message>
    <message>
        <source>the baseline of each target</source>
        <translation>der Bezug jedes Ziels</translation>
    </message>
    <message>
        <source>Searc&amp;h</source>
        <translation>Su&amp;chen</translation>
    </message>
    <message>
        <source>&amp;Sweep</source>
        <translation>&amp;Sweep</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>Con&amp;firm</source>
        <translation>Bestäti&amp;gen</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>What to sweep over</source>
        <translation>Worüber der Sweep geht</translation>
    </message>
    <message>
        <source>seq=32..2048;batch=1,4;target=aim,attacc</source>
        <translation>seq=32..2048;batch=1,4;target=aim,attacc</translation>
    </message>
    <message>
        <source>Open dimensions and their values: seq=32,64,128, or seq=32..2048 for doubling; target=aim,attacc; model=a.onnx,sample:resnet50, or several as one point: model=geomean(a.onnx,sample:resnet50); dtype=f16,bf16 and other options; group.count=8..64 and other figures of the target; draft:OP=1,2,4 for drafts by rank; cost:=device.count*group.count for a figure of your own. Conditions leave points out: area_mm2&lt;=300. Several separated by ;</source>
        <translation>Offene Dimensionen und ihre Werte: seq=32,64,128, oder seq=32..2048 zum Verdoppeln; target=aim,attacc; model=a.onnx,sample:resnet50, oder mehrere als ein Punkt: model=geomean(a.onnx,sample:resnet50); dtype=f16,bf16 und andere Optionen; group.count=8..64 und andere Zahlen des Ziels; draft:OP=1,2,4 für Entwürfe nach Rang; cost:=device.count*group.count für eine eigene Kennzahl. Bedingungen lassen Punkte aus: area_mm2&lt;=300. Mehrere durch ; getrennt</translation>
    </message>
    <message>
        <source>Search for the front</source>
        <translation>Nach der Front suchen</translation>
    </message>
    <message>
        <source>Compute only the points that a search for the Pareto front asks for; the space may have up to 10¹⁵ combinations</source>
        <translation>Nur die Punkte berechnen, nach denen eine Suche nach der Pareto-Front fragt; der Raum darf bis zu 10¹⁵ Kombinationen haben</translation>
    </message>
    <message>
        <source>Simulate the front</source>
        <translation>Die Front simulieren</translation>
    </message>
    <message>
        <source>Simulate the points on the front, and those that would be on it if they took this much less than predicted; the front is then by simulated time. What was simulated before stays.</source>
        <translation>Die Punkte auf der Front simulieren und die, die auf ihr lägen, wenn sie um so viel weniger als vorhergesagt bräuchten; die Front geht dann nach simulierter Zeit. Was schon simuliert ist, bleibt.</translation>
    </message>
    <message>
        <source>Margin of the front that is simulated</source>
        <translation>Spielraum der simulierten Front</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>Sweeps kept in the project</source>
        <translation>Im Projekt behaltene Sweeps</translation>
    </message>
    <message>
        <source>How far the sweep is</source>
        <translation>Wie weit der Sweep ist</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
    <message>
        <source>Delete the sweep</source>
        <translation>Den Sweep löschen</translation>
    </message>
    <message>
        <source>Remove the sweep and its points</source>
        <translation>Den Sweep und seine Punkte entfernen</translation>
    </message>
    <message>
        <source>Delete Sweep and All Its Points</source>
        <translation>Sweep mit allen Punkten löschen</translation>
    </message>
    <message>
        <source>Campaign</source>
        <translation>Kampagne</translation>
    </message>
    <message>
        <source>A sweep in a folder that many processes compute, here and on other machines</source>
        <translation>Ein Sweep in einem Ordner, den viele Prozesse berechnen, hier und auf anderen Rechnern</translation>
    </message>
    <message>
        <source>Open Campaign Folder…</source>
        <translation>Kampagnenordner öffnen…</translation>
    </message>
    <message>
        <source>Show the points of a campaign as they appear, whoever computes them</source>
        <translation>Die Punkte einer Kampagne zeigen, sobald sie erscheinen, wer auch immer sie berechnet</translation>
    </message>
    <message>
        <source>Plan Campaign…</source>
        <translation>Kampagne planen…</translation>
    </message>
    <message>
        <source>Write this sweep into a folder, to be computed by many processes</source>
        <translation>Diesen Sweep in einen Ordner schreiben, damit viele Prozesse ihn berechnen</translation>
    </message>
    <message>
        <source>&amp;Over</source>
        <translation>&amp;Über</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>Compile for the values that the search chooses</source>
        <translation>Für die Werte übersetzen, die die Suche wählt</translation>
    </message>
    <message>
        <source>Compile for all of these values</source>
        <translation>Für all diese Werte übersetzen</translation>
    </message>
    <message>
        <source>This cannot be swept</source>
        <translation>Darüber geht kein Sweep</translation>
    </message>
    <message>
        <source>Open Campaign Folder</source>
        <translation>Kampagnenordner öffnen</translation>
    </message>
    <message>
        <source>Plan Campaign in an Empty Folder</source>
        <translation>Kampagne in einem leeren Ordner planen</translation>
    </message>
    <message>
        <source>The points cannot be read</source>
        <translation>Die Punkte sind nicht lesbar</translation>
    </message>
    <message>
        <source>No points yet</source>
        <translation>Noch keine Punkte</translation>
    </message>
    <message>
        <source>Reading the campaign</source>
        <translation>Die Kampagne wird gelesen</translation>
    </message>
    <message>
        <source>Points appear as soon as a process has computed them.</source>
        <translation>Punkte erscheinen, sobald ein Prozess sie berechnet hat.</translation>
    </message>
    <message>
        <source>Sweeping</source>
        <translation>Sweep läuft</translation>
    </message>
    <message>
        <source>The first points come in a moment.</source>
        <translation>Die ersten Punkte kommen gleich.</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Resume computes what is missing.</source>
        <translation>„Fortsetzen“ berechnet, was fehlt.</translation>
    </message>
    <message>
        <source>Nothing to sweep over</source>
        <translation>Nichts für einen Sweep</translation>
    </message>
    <message>
        <source>Open a model.</source>
        <translation>Öffnen Sie ein Modell.</translation>
    </message>
    <message>
        <source>Not swept yet</source>
        <translation>Noch kein Sweep</translation>
    </message>
    <message>
        <source>Choose dimensions and values above, then Sweep.</source>
        <translation>Wählen Sie oben Dimensionen und Werte, dann „Sweep“.</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source> of a search</source>
        <translation> einer Suche</translation>
    </message>
    <message>
        <source>, %1 failed</source>
        <translation>, %1 fehlgeschlagen</translation>
    </message>
    <message>
        <source>, %1 simulated</source>
        <translation>, %1 simuliert</translation>
    </message>
    <message>
        <source>&amp;Resume</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Go on with the sweep</source>
        <translation>Den Sweep fortsetzen</translation>
    </message>
    <message>
        <source>Pause the sweep</source>
        <translation>Den Sweep anhalten</translation>
    </message>
    <message>
        <source>Compute what is missing; also after a restart, where the project is saved</source>
        <translation>Berechnen, was fehlt; auch nach einem Neustart, wenn das Projekt gespeichert ist</translation>
    </message>
    <message>
        <source>Stop now; what is finished stays</source>
        <translation>Jetzt anhalten; was fertig ist, bleibt</translation>
    </message>
    <message>
        <source>Sweeps of the project</source>
        <translation>Sweeps des Projekts</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 on %2, %3 of %4 points, begun %5</source>
        <translation>%1 auf %2, %3 von %4 Punkten, begonnen %5</translation>
    </message>
    <message>
        <source>point %1</source>
        <translation>Punkt %1</translation>
    </message>
</context>
<context>
    <name>pim::views::SweepRunner</name>
    <message>
        <source>Sweeping %1</source>
        <translation>Sweep über %1 läuft</translation>
    </message>
    <message>
        <source>Simulating the front of %1</source>
        <translation>Die Front von %1 wird simuliert</translation>
    </message>
    <message>
        <source>The front is not simulated</source>
        <translation>Die Front ist nicht simuliert</translation>
    </message>
    <message>
        <source>The sweep stopped</source>
        <translation>Der Sweep hat aufgehört</translation>
    </message>
    <message>
        <source>Deleting a sweep</source>
        <translation>Ein Sweep wird gelöscht</translation>
    </message>
    <message>
        <source>The sweep is not deleted</source>
        <translation>Der Sweep ist nicht gelöscht</translation>
    </message>
    <message>
        <source>Reading a sweep</source>
        <translation>Ein Sweep wird gelesen</translation>
    </message>
    <message>
        <source>The sweep cannot be read</source>
        <translation>Der Sweep ist nicht lesbar</translation>
    </message>
    <message>
        <source>Reading the list of sweeps</source>
        <translation>Die Liste der Sweeps wird gelesen</translation>
    </message>
    <message>
        <source>Saving the sweep</source>
        <translation>Der Sweep wird gespeichert</translation>
    </message>
    <message>
        <source>The sweep is not saved</source>
        <translation>Der Sweep ist nicht gespeichert</translation>
    </message>
</context>
<context>
    <name>pim::views::SweepView</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Bezug</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Work per second</source>
        <translation>Arbeit pro Sekunde</translation>
    </message>
    <message>
        <source>Marks</source>
        <translation>Marken</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bester</translation>
    </message>
    <message>
        <source>front</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>%1 ns</source>
        <translation>%1 ns</translation>
    </message>
    <message>
        <source>%1 multiply-accumulates per second</source>
        <translation>%1 Multiply-Accumulates pro Sekunde</translation>
    </message>
    <message>
        <source>Multiply-accumulates of the network, divided by its time</source>
        <translation>Multiply-Accumulates des Netzes, geteilt durch seine Zeit</translation>
    </message>
    <message>
        <source>Best: the least time of all with the same model and sizes; where only sizes vary, the most work per second.
Front: no other of the model is at least as good in all objectives and better in one.</source>
        <translation>Bester: die kürzeste Zeit von allen mit gleichem Modell und gleichen Größen; wo sich nur Größen ändern, die meiste Arbeit pro Sekunde.
Front: kein anderer des Modells ist in allen Zielen mindestens so gut und in einem besser.</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Sweep</translation>
    </message>
    <message>
        <source>Nothing swept yet</source>
        <translation>Noch kein Sweep</translation>
    </message>
    <message>
        <source>Sweep over sequence length, batch or target; the time of each appears here.</source>
        <translation>Ein Sweep geht über Sequenzlänge, Batch oder Ziel; hier erscheint die Zeit von jedem.</translation>
    </message>
    <message>
        <source>What was swept</source>
        <translation>Worüber der Sweep ging</translation>
    </message>
    <message>
        <source>Speed-up over the swept values</source>
        <translation>Speedup über die Werte des Sweeps</translation>
    </message>
    <message>
        <source>Figure of the hardware over the swept values</source>
        <translation>Kennzahl der Hardware über die Werte des Sweeps</translation>
    </message>
    <message>
        <source>Time and work per second of every point, with the Pareto front</source>
        <translation>Zeit und Arbeit pro Sekunde jedes Punkts, mit der Pareto-Front</translation>
    </message>
    <message>
        <source>Plots of the sweep</source>
        <translation>Diagramme des Sweeps</translation>
    </message>
    <message>
        <source>Table of the sweep</source>
        <translation>Tabelle des Sweeps</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Time and work</source>
        <translation>Zeit und Arbeit</translation>
    </message>
    <message>
        <source>All axes</source>
        <translation>Alle Achsen</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>Empfindlichkeit</translation>
    </message>
    <message>
        <source>Speed-up and a figure of the machine over the first axis</source>
        <translation>Speedup und eine Kennzahl der Maschine über die erste Achse</translation>
    </message>
    <message>
        <source>What the Pareto front is by</source>
        <translation>Wonach die Pareto-Front geht</translation>
    </message>
    <message>
        <source>Every point as a line over all axes and figures</source>
        <translation>Jeder Punkt als Linie über alle Achsen und Kennzahlen</translation>
    </message>
    <message>
        <source>Scatter matrix: axes and figures set against each other in pairs</source>
        <translation>Streumatrix: Achsen und Kennzahlen paarweise gegeneinander gestellt</translation>
    </message>
    <message>
        <source>The best so far after each point, and the hypervolume of the front</source>
        <translation>Das bisher Beste nach jedem Punkt, und das Hypervolumen der Front</translation>
    </message>
    <message>
        <source>How much each axis moves each figure</source>
        <translation>Wie stark jede Achse jede Kennzahl bewegt</translation>
    </message>
    <message>
        <source>Time and %1</source>
        <translation>Zeit und %1</translation>
    </message>
    <message>
        <source>speed-up</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; over %2 (geometric mean of %3, %4 to %5)</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; gegenüber %2 (geometrisches Mittel aus %3, %4 bis %5)</translation>
    </message>
    <message>
        <source>the baseline</source>
        <translation>dem Bezug</translation>
    </message>
    <message>
        <source> · best %1: %2</source>
        <translation> · %1 am besten: %2</translation>
    </message>
    <message>
        <source> · %1 failed</source>
        <translation> · %1 fehlgeschlagen</translation>
    </message>
    <message>
        <source> · %1 left out by conditions</source>
        <translation> · %1 durch Bedingungen ausgelassen</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>Pareto front</source>
        <translation>Pareto-Front</translation>
    </message>
    <message>
        <source>time, µs</source>
        <translation>Zeit, µs</translation>
    </message>
    <message>
        <source>work per second, GMAC/s</source>
        <translation>Arbeit pro Sekunde, GMAC/s</translation>
    </message>
</context>
<context>
    <name>pim::views::SweepWords</name>
    <message>
        <source>time, µs</source>
        <translation>Zeit, µs</translation>
    </message>
    <message>
        <source>work per second, GMAC/s</source>
        <translation>Arbeit pro Sekunde, GMAC/s</translation>
    </message>
</context>
<context>
    <name>pim::views::SystemTables</name>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Of its device, without transfers</source>
        <translation>Ihres Geräts, ohne Übertragungen</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Its time there with the transfers it waits for, against its time elsewhere</source>
        <translation>Ihre Zeit dort mit den Übertragungen, auf die sie wartet, gegen ihre Zeit anderswo</translation>
    </message>
    <message>
        <source>Instead</source>
        <translation>Stattdessen</translation>
    </message>
    <message>
        <source>A request</source>
        <translation>Eine Anfrage</translation>
    </message>
    <message>
        <source>Against the plan</source>
        <translation>Gegenüber dem Plan</translation>
    </message>
    <message>
        <source>What it is</source>
        <translation>Was es ist</translation>
    </message>
    <message>
        <source>Device or link</source>
        <translation>Gerät oder Verbindung</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Of the request</source>
        <translation>An der Anfrage</translation>
    </message>
    <message>
        <source>Moved</source>
        <translation>Bewegt</translation>
    </message>
    <message>
        <source>link</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>In a stream</source>
        <translation>Im Strom</translation>
    </message>
    <message>
        <source>Between two results, where requests come one behind the other, up to 4 at once</source>
        <translation>Zwischen zwei Ergebnissen, wenn Anfragen hintereinander kommen, bis zu 4 zugleich</translation>
    </message>
</context>
<context>
    <name>pim::views::SystemView</name>
    <message>
        <source>where the search puts it</source>
        <translation>wo die Suche ihn hinlegt</translation>
    </message>
    <message>
        <source>Si&amp;mulate</source>
        <translation>Simul&amp;ieren</translation>
    </message>
    <message>
        <source>&amp;Take Placements Back</source>
        <translation>&amp;Platzierungen zurücknehmen</translation>
    </message>
    <message>
        <source>Several Machines</source>
        <translation>Mehrere Maschinen</translation>
    </message>
    <message>
        <source>Operators in the order in which they start</source>
        <translation>Operatoren in der Reihenfolge, in der sie beginnen</translation>
    </message>
    <message>
        <source>What else was tried</source>
        <translation>Was sonst versucht wurde</translation>
    </message>
    <message>
        <source>How busy devices and links are</source>
        <translation>Wie ausgelastet Geräte und Verbindungen sind</translation>
    </message>
    <message>
        <source>Take placements back</source>
        <translation>Platzierungen zurücknehmen</translation>
    </message>
    <message>
        <source>A host, several machines and the links between them</source>
        <translation>Ein Host, mehrere Maschinen und die Verbindungen dazwischen</translation>
    </message>
    <message>
        <source>Where the operator of the selected row runs; the others are searched again around it. Operators can also be dragged from the graph onto the track of a device</source>
        <translation>Wo der Operator der gewählten Zeile läuft; die anderen werden um ihn herum neu gesucht. Operatoren lassen sich auch aus dem Graphen auf die Spur eines Geräts ziehen</translation>
    </message>
    <message>
        <source>Leaves all operators to the search again</source>
        <translation>Überlässt wieder alle Operatoren der Suche</translation>
    </message>
    <message>
        <source>Run each part in time and put all parts on one clock</source>
        <translation>Jeden Teil in der Zeit ausführen und alle Teile auf eine Uhr bringen</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Place operator</source>
        <translation>Operator platzieren</translation>
    </message>
    <message>
        <source>Time of the plan</source>
        <translation>Zeit des Plans</translation>
    </message>
    <message>
        <source>Who works when</source>
        <translation>Wer wann arbeitet</translation>
    </message>
    <message>
        <source>The plan as tables</source>
        <translation>Der Plan als Tabellen</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>Instead</source>
        <translation>Stattdessen</translation>
    </message>
    <message>
        <source>Devices and Links</source>
        <translation>Geräte und Verbindungen</translation>
    </message>
    <message>
        <source>Spreading the network over machines</source>
        <translation>Das Netz wird auf Maschinen verteilt</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>&amp;Spread</source>
        <translation>&amp;Verteilen</translation>
    </message>
    <message>
        <source>No plan</source>
        <translation>Kein Plan</translation>
    </message>
    <message>
        <source>Searching …</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <source>Every machine plans the network, then it is spread over them.</source>
        <translation>Jede Maschine plant das Netz, dann wird es auf sie verteilt.</translation>
    </message>
    <message>
        <source>Several machines at once</source>
        <translation>Mehrere Maschinen zugleich</translation>
    </message>
    <message>
        <source>Spreads this network over a host and machines of several kinds, with the links between them.</source>
        <translation>Verteilt dieses Netz auf einen Host und Maschinen mehrerer Arten, mit den Verbindungen dazwischen.</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>Öffnen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; predicted</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; vorhergesagt</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; simulated, %2 predicted</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; simuliert, %2 vorhergesagt</translation>
    </message>
    <message>
        <source> · %1 over the host alone</source>
        <translation> · %1 gegenüber dem Host allein</translation>
    </message>
    <message>
        <source> · the search is within %1 % of the least there is</source>
        <translation> · die Suche liegt höchstens %1 % über dem kleinstmöglichen Wert</translation>
    </message>
    <message>
        <source> · 1 operator in pieces</source>
        <translation> · 1 Operator in Stücken</translation>
    </message>
    <message>
        <source> · %1 operators in pieces</source>
        <translation> · %1 Operatoren in Stücken</translation>
    </message>
    <message numerus="yes">
        <source> · %n placed by hand</source>
        <translation>
            <numerusform> · %n von Hand platziert</numerusform>
            <numerusform> · %n von Hand platziert</numerusform>
        </translation>
    </message>
    <message>
        <source> · searching again …</source>
        <translation> · es wird neu gesucht …</translation>
    </message>
    <message>
        <source> · %1</source>
        <translation> · %1</translation>
    </message>
    <message>
        <source>cannot run it</source>
        <translation>kann ihn nicht ausführen</translation>
    </message>
    <message>
        <source>✗ Drop %1 onto the track of a device</source>
        <translation>✗ %1 auf der Spur eines Geräts ablegen</translation>
    </message>
    <message>
        <source>✓ %1 on %2: %3 there</source>
        <translation>✓ %1 auf %2: dort %3</translation>
    </message>
    <message>
        <source>✗ %1 cannot run %2</source>
        <translation>✗ %1 kann %2 nicht ausführen</translation>
    </message>
    <message>
        <source> · a result every %1 in a stream</source>
        <translation> · im Strom alle %1 ein Ergebnis</translation>
    </message>
    <message>
        <source>What limits the plan</source>
        <translation>Was den Plan begrenzt</translation>
    </message>
</context>
<context>
    <name>pim::views::TableView</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>Als JSON kopieren</translation>
    </message>
    <message>
        <source>Save Table…</source>
        <translation>Tabelle speichern…</translation>
    </message>
    <message>
        <source>Save Table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Save failed</source>
        <translation>Speichern fehlgeschlagen</translation>
    </message>
</context>
<context>
    <name>pim::views::TaskletTimeline</name>
    <message>
        <source>tasklet</source>
        <translation>Tasklet</translation>
    </message>
    <message>
        <source>tasklets</source>
        <translation>Tasklets</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>DMA</source>
        <translation>DMA</translation>
    </message>
    <message>
        <source>asleep</source>
        <translation>schlafend</translation>
    </message>
</context>
<context>
    <name>pim::views::TaskletsView</name>
    <message>
        <source>Tasklets</source>
        <translation>Tasklets</translation>
    </message>
    <message>
        <source>Times in cycles of the DPU</source>
        <translation>Zeiten in Takten der DPU</translation>
    </message>
    <message>
        <source>Timeline of the tasklets</source>
        <translation>Zeitleiste der Tasklets</translation>
    </message>
    <message>
        <source>cycle</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Show all (F)</source>
        <translation>Alles zeigen (F)</translation>
    </message>
    <message>
        <source>span</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>tasklets</source>
        <translation>Tasklets</translation>
    </message>
    <message>
        <source>No tasklets to show</source>
        <translation>Keine Tasklets zu zeigen</translation>
    </message>
    <message>
        <source>Select an operator that runs on DPUs.</source>
        <translation>Wählen Sie einen Operator, der auf DPUs läuft.</translation>
    </message>
    <message>
        <source> · &lt;i&gt;≈ %1 predicted&lt;/i&gt;</source>
        <translation> · &lt;i&gt;≈ %1 vorhergesagt&lt;/i&gt;</translation>
    </message>
    <message>
        <source>W S zoom · A D pan · F all · , . along a tasklet · ? all keys</source>
        <translation>W S Zoom · A D schieben · F alles · , . entlang eines Tasklets · ? alle Tasten</translation>
    </message>
</context>
<context>
    <name>pim::views::TilesInTime</name>
    <message>
        <source>With a port for each tile it would take %1, %2 %.</source>
        <translation>Mit einem Port für jedes Tile würde es %1 brauchen, %2 %.</translation>
    </message>
    <message>
        <source>Tiles in time</source>
        <translation>Tiles über die Zeit</translation>
    </message>
    <message>
        <source>What limits the tiles</source>
        <translation>Was die Tiles begrenzt</translation>
    </message>
    <message>
        <source>Show or hide what each tile does when: writes, rows in, results out, merges of the host</source>
        <translation>Zeigen oder verbergen, was jedes Tile wann tut: Schreiben, Zeilen hinein, Ergebnisse heraus, Zusammenführen auf dem Host</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>Was helfen würde</translation>
    </message>
    <message>
        <source>Show or hide what faster words and sums, more and larger tiles would give</source>
        <translation>Zeigen oder verbergen, was schnellere Wörter und Summen, mehr und größere Tiles brächten</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Show or hide every op under what words, arrays and host can do at most</source>
        <translation>Zeigen oder verbergen, wie jede Op unter dem liegt, was Wörter, Arrays und Host höchstens können</translation>
    </message>
    <message>
        <source>Running the tiles …</source>
        <translation>Die Tiles werden ausgeführt …</translation>
    </message>
    <message>
        <source>Running the tiles</source>
        <translation>Die Tiles werden ausgeführt</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>With several machines, faster tiles would also get other ops, so nothing could be compared: choose memristor as the machine.</source>
        <translation>Mit mehreren Maschinen bekämen schnellere Tiles auch andere Ops, also wäre nichts zu vergleichen: memristor als Maschine wählen.</translation>
    </message>
    <message>
        <source>Lowers the program and runs it again, with one thing at a time faster or more of it; loops are searched anew.</source>
        <translation>Senkt das Programm ab und führt es erneut aus, jeweils eines schneller oder mehr davon; Schleifen werden neu gesucht.</translation>
    </message>
</context>
<context>
    <name>pim::views::TilesView</name>
    <message>
        <source>, 1 row</source>
        <translation>, 1 Zeile</translation>
    </message>
    <message>
        <source>, %1 rows</source>
        <translation>, %1 Zeilen</translation>
    </message>
    <message>
        <source>Tiles of the chosen draft</source>
        <translation>Tiles des gewählten Entwurfs</translation>
    </message>
    <message>
        <source>Draft shown</source>
        <translation>Gezeigter Entwurf</translation>
    </message>
    <message>
        <source>What the core under the pointer holds and does</source>
        <translation>Was der Kern unter dem Zeiger hält und tut</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>Draft A: the one in force, or one that was kept in the Drafts or Compare panel</source>
        <translation>Entwurf A: der geltende, oder einer, der im Panel „Entwürfe“ oder „Vergleich“ behalten wurde</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Draft B: the one selected</source>
        <translation>Entwurf B: der gewählte</translation>
    </message>
    <message>
        <source>Δ</source>
        <translation>Δ</translation>
    </message>
    <message>
        <source>B less A, core by core; the scale is centred on no difference</source>
        <translation>B minus A, Kern für Kern; die Mitte der Skala ist kein Unterschied</translation>
    </message>
    <message>
        <source>Show the difference of B and A</source>
        <translation>Den Unterschied von B und A zeigen</translation>
    </message>
    <message>
        <source>Show draft %1</source>
        <translation>Entwurf %1 zeigen</translation>
    </message>
    <message>
        <source>Data tile</source>
        <translation>Daten-Tile</translation>
    </message>
    <message>
        <source>Heatmap of the bytes each core holds</source>
        <translation>Heatmap der Bytes, die jeder Kern hält</translation>
    </message>
    <message>
        <source>Compute tile</source>
        <translation>Rechen-Tile</translation>
    </message>
    <message>
        <source>Heatmap of the work each core does</source>
        <translation>Heatmap der Arbeit, die jeder Kern tut</translation>
    </message>
    <message>
        <source>%1: what is shown</source>
        <translation>%1: was gezeigt wird</translation>
    </message>
    <message>
        <source>(rejected)</source>
        <translation>(abgelehnt)</translation>
    </message>
    <message>
        <source>A: %1 of %2</source>
        <translation>A: %1 von %2</translation>
    </message>
    <message>
        <source>B: %1 of %2</source>
        <translation>B: %1 von %2</translation>
    </message>
    <message>
        <source>No tiles to show</source>
        <translation>Keine Tiles zu zeigen</translation>
    </message>
    <message>
        <source>Select an op in the graph to see its tiles</source>
        <translation>Wählen Sie eine Op im Graphen, um ihre Tiles zu sehen</translation>
    </message>
    <message>
        <source>This op has no draft</source>
        <translation>Diese Op hat keinen Entwurf</translation>
    </message>
    <message>
        <source>A and B cannot be compared: %1</source>
        <translation>A und B sind nicht vergleichbar: %1</translation>
    </message>
    <message>
        <source>Choose an A of the same op and target in the Drafts or Compare panel</source>
        <translation>Wählen Sie ein A mit gleicher Op und gleichem Ziel im Panel „Entwürfe“ oder „Vergleich“</translation>
    </message>
    <message>
        <source>Computing the tiles…</source>
        <translation>Die Tiles werden berechnet…</translation>
    </message>
    <message>
        <source>all tensors, bytes</source>
        <translation>alle Tensoren, Byte</translation>
    </message>
    <message>
        <source>%1, bytes</source>
        <translation>%1, Byte</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MACs</translation>
    </message>
    <message>
        <source>iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>first value of %1</source>
        <translation>erster Wert von %1</translation>
    </message>
    <message>
        <source>Computing tiles</source>
        <translation>Tiles werden berechnet</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Byte</translation>
    </message>
    <message>
        <source>Δ %1</source>
        <translation>Δ %1</translation>
    </message>
    <message>
        <source>group %1, core %2</source>
        <translation>Gruppe %1, Kern %2</translation>
    </message>
    <message>
        <source>Group %1, core %2 (%3)</source>
        <translation>Gruppe %1, Kern %2 (%3)</translation>
    </message>
    <message>
        <source>%1: idle under this draft</source>
        <translation>%1: untätig bei diesem Entwurf</translation>
    </message>
    <message>
        <source>%1 iterations</source>
        <translation>%1 Iterationen</translation>
    </message>
    <message>
        <source>%1 MACs, </source>
        <translation>%1 MACs, </translation>
    </message>
    <message>
        <source>%1: %2, %3
Holds %4%5: %6</source>
        <translation>%1: %2, %3
Hält %4%5: %6</translation>
    </message>
    <message>
        <source>Group %1, core %2 (%3)
Holds A %4, B %5: %6 · iterations A %7, B %8: %9</source>
        <translation>Gruppe %1, Kern %2 (%3)
Hält A %4, B %5: %6 · Iterationen A %7, B %8: %9</translation>
    </message>
</context>
<context>
    <name>pim::views::TimelineCanvas</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>switches</source>
        <translation>Wechsel</translation>
    </message>
    <message>
        <source>cycle</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Scrolls the tracks</source>
        <translation>Rollt die Spuren</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>Unpin %1	P</source>
        <translation>%1 lösen	P</translation>
    </message>
    <message>
        <source>Pin %1 to the Top	P</source>
        <translation>%1 oben anheften	P</translation>
    </message>
    <message>
        <source>Move Up	Alt+Up</source>
        <translation>Nach oben	Alt+Up</translation>
    </message>
    <message>
        <source>Move Down	Alt+Down</source>
        <translation>Nach unten	Alt+Down</translation>
    </message>
    <message>
        <source>Move Group Up	Alt+Shift+Up</source>
        <translation>Gruppe nach oben	Alt+Shift+Up</translation>
    </message>
    <message>
        <source>Move Group Down	Alt+Shift+Down</source>
        <translation>Gruppe nach unten	Alt+Shift+Down</translation>
    </message>
    <message>
        <source>Fold All	E</source>
        <translation>Alle zuklappen	E</translation>
    </message>
    <message>
        <source>Unfold All	E</source>
        <translation>Alle aufklappen	E</translation>
    </message>
    <message>
        <source>Arrange as at First</source>
        <translation>Anordnen wie am Anfang</translation>
    </message>
    <message>
        <source>Add Note…	M</source>
        <translation>Notiz hinzufügen…	M</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>&lt;0.1 %</source>
        <translation>&lt;0.1 %</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source> µs +</source>
        <translation> µs +</translation>
    </message>
    <message>
        <source> ms +</source>
        <translation> ms +</translation>
    </message>
    <message>
        <source>%1 compute</source>
        <translation>%1 rechnen</translation>
    </message>
    <message>
        <source>%1 memory</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>shares</source>
        <translation>Anteile</translation>
    </message>
    <message>
        <source>use of %1</source>
        <translation>Belegung von %1</translation>
    </message>
    <message>
        <source>where the run begins</source>
        <translation>wo der Lauf beginnt</translation>
    </message>
    <message>
        <source>as soon as its unit is free</source>
        <translation>sobald seine Einheit frei ist</translation>
    </message>
    <message>
        <source>as soon as the one before ends</source>
        <translation>sobald der davor endet</translation>
    </message>
    <message>
        <source>fed piece by piece by the one before</source>
        <translation>Stück für Stück gespeist vom davor</translation>
    </message>
    <message>
        <source>after a pause</source>
        <translation>nach einer Pause</translation>
    </message>
    <message>
        <source>piece %1 of %2 of the critical path, %3</source>
        <translation>Stück %1 von %2 des kritischen Pfads, %3</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>für %1</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 ab %2</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>switching, rewriting, …</source>
        <translation>Umschalten, Neuschreiben, …</translation>
    </message>
    <message>
        <source>%1: idle</source>
        <translation>%1: untätig</translation>
    </message>
    <message>
        <source>op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>track</source>
        <translation>Spur</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>under the pointer</source>
        <translation>unter dem Zeiger</translation>
    </message>
    <message>
        <source>%1 spans, zoom in to tell them apart</source>
        <translation>%1 Abschnitte, zum Unterscheiden hineinzoomen</translation>
    </message>
    <message>
        <source>%1 %2 of the time shown</source>
        <translation>%1 %2 der gezeigten Zeit</translation>
    </message>
    <message>
        <source>idle in the time shown</source>
        <translation>untätig in der gezeigten Zeit</translation>
    </message>
    <message>
        <source>%1 spans in all</source>
        <translation>%1 Abschnitte insgesamt</translation>
    </message>
</context>
<context>
    <name>pim::views::TimelineView</name>
    <message>
        <source>Times in cycles of the chip</source>
        <translation>Zeiten in Takten des Chips</translation>
    </message>
    <message>
        <source>Critical path: the chain of work that reaches from the beginning of the run to its end without a pause (C); [ and ] go along it</source>
        <translation>Kritischer Pfad: die Kette von Arbeit, die ohne Pause vom Anfang des Laufs bis zu seinem Ende reicht (C); [ und ] gehen an ihm entlang</translation>
    </message>
    <message>
        <source>Previous switch (Shift+N)</source>
        <translation>Voriger Wechsel (Umschalt+N)</translation>
    </message>
    <message>
        <source>Next switch (N)</source>
        <translation>Nächster Wechsel (N)</translation>
    </message>
    <message>
        <source>Limit Views to These Ops</source>
        <translation>Ansichten auf diese Ops beschränken</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Nothing simulated yet</source>
        <translation>Noch nichts simuliert</translation>
    </message>
    <message>
        <source>Run a simulation; what every unit did when appears here.</source>
        <translation>Starten Sie eine Simulation; hier erscheint, was jede Einheit wann tat.</translation>
    </message>
    <message>
        <source>Span the keys are on</source>
        <translation>Abschnitt, auf dem die Tasten stehen</translation>
    </message>
    <message>
        <source>W S zoom · A D pan · F all · , . along a track · Shift+drag: figures of an area · ? all keys</source>
        <translation>W S Zoom · A D schieben · F alles · , . entlang einer Spur · Umschalt+Ziehen: Zahlen eines Bereichs · ? alle Tasten</translation>
    </message>
    <message>
        <source>Chosen area</source>
        <translation>Gewählter Bereich</translation>
    </message>
    <message>
        <source>Time of each kind in the area</source>
        <translation>Zeit jeder Art im Bereich</translation>
    </message>
    <message>
        <source>Ops in the area, busiest first</source>
        <translation>Ops im Bereich, die mit der meisten Arbeit zuerst</translation>
    </message>
    <message>
        <source>Close the area (Esc)</source>
        <translation>Den Bereich schließen (Esc)</translation>
    </message>
    <message>
        <source>Other views show only the ops of this area; the chip above the panels takes it back</source>
        <translation>Andere Ansichten zeigen nur die Ops dieses Bereichs; der Filter über den Panels nimmt es zurück</translation>
    </message>
    <message>
        <source>Limit the views to the ops of this area</source>
        <translation>Die Ansichten auf die Ops dieses Bereichs beschränken</translation>
    </message>
    <message>
        <source>Length of the run</source>
        <translation>Länge des Laufs</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>critical path</source>
        <translation>kritischer Pfad</translation>
    </message>
    <message>
        <source>Show all (F)</source>
        <translation>Alles zeigen (F)</translation>
    </message>
    <message>
        <source>switch</source>
        <translation>Wechsel</translation>
    </message>
    <message>
        <source>span</source>
        <translation>Abschnitt</translation>
    </message>
    <message>
        <source>tracks</source>
        <translation>Spuren</translation>
    </message>
    <message>
        <source>%1 … %2</source>
        <translation>%1 … %2</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; simulated · %2 tracks · %3 spans</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; simuliert · %2 Spuren · %3 Abschnitte</translation>
    </message>
    <message>
        <source>The first %1 of %2</source>
        <translation>Die ersten %1 von %2</translation>
    </message>
    <message>
        <source> · critical path: %1</source>
        <translation> · kritischer Pfad: %1</translation>
    </message>
    <message>
        <source> · shown: %1 from %2</source>
        <translation> · gezeigt: %1 ab %2</translation>
    </message>
    <message>
        <source>of an older plan</source>
        <translation>eines älteren Plans</translation>
    </message>
    <message>
        <source>%1 tracks</source>
        <translation>%1 Spuren</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; from %2 · %3 · busy %4</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; ab %2 · %3 · Arbeit %4</translation>
    </message>
    <message>
        <source>&lt;br&gt;Busiest: &lt;b&gt;%1&lt;/b&gt;, %2 of the busy time</source>
        <translation>&lt;br&gt;Am meisten: &lt;b&gt;%1&lt;/b&gt;, %2 der Arbeitszeit</translation>
    </message>
    <message>
        <source>No timeline yet</source>
        <translation>Noch keine Zeitleiste</translation>
    </message>
    <message>
        <source>No timeline</source>
        <translation>Keine Zeitleiste</translation>
    </message>
    <message>
        <source>Preparing the timeline</source>
        <translation>Die Zeitleiste wird vorbereitet</translation>
    </message>
    <message>
        <source>Preparing the critical path</source>
        <translation>Der kritische Pfad wird vorbereitet</translation>
    </message>
    <message>
        <source>Filtering the timeline</source>
        <translation>Die Zeitleiste wird gefiltert</translation>
    </message>
    <message>
        <source>Time %1</source>
        <translation>Zeit %1</translation>
    </message>
</context>
<context>
    <name>pim::views::TornadoPlot</name>
    <message>
        <source>How far the first machine leads</source>
        <translation>Wie weit die erste Maschine führt</translation>
    </message>
    <message>
        <source>lead of %1</source>
        <translation>Vorsprung von %1</translation>
    </message>
</context>
<context>
    <name>pim::views::TrainingPlot</name>
    <message>
        <source>Loss and agreement over the steps of training</source>
        <translation>Loss und Übereinstimmung über die Trainingsschritte</translation>
    </message>
    <message>
        <source>loss of a step</source>
        <translation>Loss eines Schritts</translation>
    </message>
    <message>
        <source>agreement of a step</source>
        <translation>Übereinstimmung eines Schritts</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>agreement with the network as it is</source>
        <translation>Übereinstimmung mit dem unveränderten Netz</translation>
    </message>
    <message>
        <source>test accuracy as it is</source>
        <translation>Testgenauigkeit unverändert</translation>
    </message>
    <message>
        <source>test accuracy converted</source>
        <translation>Testgenauigkeit umgewandelt</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>loss (divergence of the logits)</source>
        <translation>Loss (Divergenz der Logits)</translation>
    </message>
    <message>
        <source>share of samples</source>
        <translation>Anteil der Proben</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>Loss %1</translation>
    </message>
    <message>
        <source>%1 choose as the unconverted network</source>
        <translation>%1 wählen wie das nicht umgewandelte Netz</translation>
    </message>
    <message>
        <source>test accuracy as the network is: %1</source>
        <translation>Testgenauigkeit des unveränderten Netzes: %1</translation>
    </message>
    <message>
        <source>test accuracy converted: %1</source>
        <translation>Testgenauigkeit umgewandelt: %1</translation>
    </message>
</context>
<context>
    <name>pim::views::UpmemPanels</name>
    <message>
        <source>DPUs</source>
        <translation>DPUs</translation>
    </message>
    <message>
        <source>DPU Memory</source>
        <translation>DPU-Speicher</translation>
    </message>
    <message>
        <source>Tasklets</source>
        <translation>Tasklets</translation>
    </message>
    <message>
        <source>DPU Code</source>
        <translation>DPU-Code</translation>
    </message>
    <message>
        <source>LUT Mappings</source>
        <translation>LUT-Abbildungen</translation>
    </message>
    <message>
        <source>DPU Roofline</source>
        <translation>DPU-Roofline</translation>
    </message>
</context>
<context>
    <name>pim::views::VariantTotals</name>
    <message>
        <source>Total time</source>
        <translation>Gesamtzeit</translation>
    </message>
    <message>
        <source>Rearrangement</source>
        <translation>Umordnung</translation>
    </message>
    <message>
        <source>Loading once</source>
        <translation>Einmaliges Laden</translation>
    </message>
    <message>
        <source>Simulated time</source>
        <translation>Simulierte Zeit</translation>
    </message>
    <message>
        <source>Simulated energy</source>
        <translation>Simulierte Energie</translation>
    </message>
    <message>
        <source>Planning and simulating variants</source>
        <translation>Varianten werden geplant und simuliert</translation>
    </message>
    <message>
        <source>Planning variants</source>
        <translation>Varianten werden geplant</translation>
    </message>
</context>
<context>
    <name>pim::views::VariantsModel</name>
    <message>
        <source>%1 (%2 stale)</source>
        <translation>%1 (%2 veraltet)</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1 pJ</source>
        <translation>%1 pJ</translation>
    </message>
    <message>
        <source>%1 ns</source>
        <translation>%1 ns</translation>
    </message>
    <message>
        <source>Against &quot;%1&quot;, which it was branched from</source>
        <translation>Gegenüber „%1“, wovon sie abgezweigt wurde</translation>
    </message>
    <message>
        <source>In force</source>
        <translation>Geltend</translation>
    </message>
    <message>
        <source>★ Best so far: least %1</source>
        <translation>★ Bisher beste: am wenigsten %1</translation>
    </message>
    <message>
        <source>Branched from &quot;%1&quot;</source>
        <translation>Abgezweigt von „%1“</translation>
    </message>
    <message>
        <source>Not planned yet</source>
        <translation>Noch nicht geplant</translation>
    </message>
    <message>
        <source>%1 (pJ)</source>
        <translation>%1 (pJ)</translation>
    </message>
    <message>
        <source>%1 (ns)</source>
        <translation>%1 (ns)</translation>
    </message>
    <message>
        <source>To parent (fraction)</source>
        <translation>Zur Elternvariante (Bruchteil)</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Decisions</source>
        <translation>Entscheidungen</translation>
    </message>
    <message>
        <source>To parent</source>
        <translation>Zur Elternvariante</translation>
    </message>
</context>
<context>
    <name>pim::views::VariantsView</name>
    <message>
        <source>Branch</source>
        <translation>Abzweigen</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>Wechseln</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Figure the variants are compared by</source>
        <translation>Kennzahl, nach der die Varianten verglichen werden</translation>
    </message>
    <message>
        <source>What the best variant (★) has least of. Simulated figures are made when they are asked for.</source>
        <translation>Wovon die beste Variante (★) am wenigsten hat. Simulierte Zahlen entstehen, wenn nach ihnen gefragt wird.</translation>
    </message>
    <message>
        <source>List of variants</source>
        <translation>Liste der Varianten</translation>
    </message>
    <message>
        <source>Decisions that differ between two variants</source>
        <translation>Entscheidungen, die in zwei Varianten verschieden sind</translation>
    </message>
    <message>
        <source>Two variants compared</source>
        <translation>Zwei Varianten im Vergleich</translation>
    </message>
    <message>
        <source>Create a variant from the current decisions and switch to it</source>
        <translation>Aus den aktuellen Entscheidungen eine Variante erstellen und zu ihr wechseln</translation>
    </message>
    <message>
        <source>Switch to the selected variant (double click)</source>
        <translation>Zur gewählten Variante wechseln (Doppelklick)</translation>
    </message>
    <message>
        <source>Change the name of the selected variant in place (F2)</source>
        <translation>Den Namen der gewählten Variante an Ort und Stelle ändern (F2)</translation>
    </message>
    <message>
        <source>Delete the selected variant; its branches go to the one it came from</source>
        <translation>Die gewählte Variante löschen; ihre Zweige gehen an die, von der sie kam</translation>
    </message>
    <message>
        <source>Where the two selected variants differ, or the selected one from the one in force</source>
        <translation>Worin sich die beiden gewählten Varianten unterscheiden, oder die gewählte von der geltenden</translation>
    </message>
    <message>
        <source>Branch to try something else without losing what you have. Branches are compared here.</source>
        <translation>Zweigen Sie ab, um etwas anderes zu versuchen, ohne zu verlieren, was Sie haben. Zweige werden hier verglichen.</translation>
    </message>
    <message>
        <source>%1: %2 takes %3, %4 takes %5</source>
        <translation>%1: %2 braucht %3, %4 braucht %5</translation>
    </message>
    <message>
        <source>: no difference</source>
        <translation>: kein Unterschied</translation>
    </message>
    <message>
        <source>: %1 needs %2 of that</source>
        <translation>: %1 braucht %2 davon</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>Op</translation>
    </message>
    <message>
        <source>Decides</source>
        <translation>Entscheidet</translation>
    </message>
    <message>
        <source>Time of the op</source>
        <translation>Zeit der Op</translation>
    </message>
    <message>
        <source>Time of the op, second minus first (ns)</source>
        <translation>Zeit der Op, zweite minus erste (ns)</translation>
    </message>
    <message>
        <source>compiler&apos;s choice</source>
        <translation>Wahl des Compilers</translation>
    </message>
    <message>
        <source>the whole network</source>
        <translation>das ganze Netz</translation>
    </message>
    <message>
        <source>%1 ns in %2, %3 ns in %4</source>
        <translation>%1 ns in %2, %3 ns in %4</translation>
    </message>
</context>
<context>
    <name>pim::views::WhatHelps</name>
    <message>
        <source>&amp;Use Twice as Fast…</source>
        <translation>Doppelt &amp;so schnell verwenden…</translation>
    </message>
    <message>
        <source>Targets (*.json)</source>
        <translation>Ziele (*.json)</translation>
    </message>
    <message>
        <source>The plan has changed meanwhile, and nothing was saved: ask again.</source>
        <translation>Der Plan hat sich inzwischen geändert, und nichts wurde gespeichert: Fragen Sie erneut.</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>&amp;Use Twice as Many…</source>
        <translation>Doppelt &amp;so viele verwenden…</translation>
    </message>
    <message>
        <source>Saves the machine with the chosen resource twice as fast, or twice as many of it, as a target file, and plans for it; undone as any other choice of a target</source>
        <translation>Speichert die Maschine mit der gewählten Ressource doppelt so schnell, oder mit doppelt so vielen davon, als Zieldatei und plant für sie; lässt sich rückgängig machen wie jede andere Wahl eines Ziels</translation>
    </message>
    <message>
        <source>Plans and simulates again, with one resource at a time faster or more of it.</source>
        <translation>Plant und simuliert: je eine Ressource schneller oder mehr.</translation>
    </message>
    <message>
        <source>Save Changed Machine</source>
        <translation>Geänderte Maschine speichern</translation>
    </message>
    <message>
        <source>The changed machine is not used</source>
        <translation>Die geänderte Maschine wird nicht verwendet</translation>
    </message>
</context>
<context>
    <name>pim::views::WhichPlot</name>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>no PIM</source>
        <translation>kein PIM</translation>
    </message>
    <message>
        <source>Time of each machine</source>
        <translation>Zeit jeder Maschine</translation>
    </message>
    <message>
        <source>from one result to the next, ms</source>
        <translation>von einem Ergebnis zum nächsten, ms</translation>
    </message>
    <message>
        <source>a request, ms</source>
        <translation>eine Anfrage, ms</translation>
    </message>
    <message>
        <source>bringing in the weights, and a request, ms</source>
        <translation>Gewichte hineinbringen, und eine Anfrage, ms</translation>
    </message>
</context>
<context>
    <name>pim::views::WhichView</name>
    <message>
        <source>its own</source>
        <translation>ihr eigener</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>a request</source>
        <translation>eine Anfrage</translation>
    </message>
    <message>
        <source>a stream</source>
        <translation>ein Strom</translation>
    </message>
    <message>
        <source>the first request</source>
        <translation>die erste Anfrage</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>Enter or a double click opens its plan</source>
        <translation>Eingabe oder Doppelklick öffnet ihren Plan</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>A request</source>
        <translation>Eine Anfrage</translation>
    </message>
    <message>
        <source>From its first byte to its last result, nothing else under way</source>
        <translation>Vom ersten Byte bis zum letzten Ergebnis, ohne dass sonst etwas unterwegs ist</translation>
    </message>
    <message>
        <source>A stream</source>
        <translation>Ein Strom</translation>
    </message>
    <message>
        <source>Requests per second, where the machine has several in flight; else one after the other</source>
        <translation>Anfragen pro Sekunde, wo die Maschine mehrere zugleich bearbeitet; sonst eine nach der anderen</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Simulated: commands, instructions or schedule of the very plan were run in time; predicted: by the model alone</source>
        <translation>Simuliert: Befehle, Instruktionen oder Ablauf genau dieses Plans wurden in der Zeit ausgeführt; vorhergesagt: allein durch das Modell</translation>
    </message>
    <message>
        <source>Over the host</source>
        <translation>Gegenüber Host</translation>
    </message>
    <message>
        <source>How many times as fast as the same host without the machine</source>
        <translation>Wie viele Male so schnell wie derselbe Host ohne die Maschine</translation>
    </message>
    <message>
        <source>Work on PIM</source>
        <translation>Arbeit auf PIM</translation>
    </message>
    <message>
        <source>Share of the multiply-accumulates that does not run on the host</source>
        <translation>Anteil der Multiply-Accumulates, der nicht auf dem Host läuft</translation>
    </message>
    <message>
        <source>Kept there</source>
        <translation>Dauerhaft dort</translation>
    </message>
    <message>
        <source>Weights and caches that stay in the machine</source>
        <translation>Gewichte und Caches, die in der Maschine bleiben</translation>
    </message>
    <message>
        <source>Loaded in</source>
        <translation>Geladen in</translation>
    </message>
    <message>
        <source>What bringing them in once takes</source>
        <translation>Was es einmal braucht, sie hineinzubringen</translation>
    </message>
    <message>
        <source>Room</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>Weights and caches that could stay, of the memory of its units; how many machines have room for all</source>
        <translation>Gewichte und Caches, die bleiben könnten, vom Speicher ihrer Einheiten; wie viele Maschinen Platz für alle haben</translation>
    </message>
    <message>
        <source>Over links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Bytes of a request, each once: operands and results between host and PIM, or what the program moves</source>
        <translation>Bytes einer Anfrage, jedes einmal: Operanden und Ergebnisse zwischen Host und PIM, oder was das Programm bewegt</translation>
    </message>
    <message>
        <source>Energy</source>
        <translation>Energie</translation>
    </message>
    <message>
        <source>Of a request, machine and host, as far as it is known; never 0 where it is not</source>
        <translation>Einer Anfrage, Maschine und Host, soweit bekannt; nie 0, wo sie es nicht ist</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Mean, of requests that follow each other</source>
        <translation>Im Mittel, bei aufeinander folgenden Anfragen</translation>
    </message>
    <message>
        <source>Energy from</source>
        <translation>Energie aus</translation>
    </message>
    <message>
        <source>The weakest figure it is made of: a datasheet, published, derived, or an assumption</source>
        <translation>Die schwächste Zahl, aus der sie besteht: Datenblatt, veröffentlicht, abgeleitet oder Annahme</translation>
    </message>
    <message>
        <source>Area</source>
        <translation>Fläche</translation>
    </message>
    <message>
        <source>Silicon of the machine without its host</source>
        <translation>Silizium der Maschine ohne ihren Host</translation>
    </message>
    <message>
        <source>Area from</source>
        <translation>Fläche aus</translation>
    </message>
    <message>
        <source>As for energy</source>
        <translation>Wie bei der Energie</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>computes in %1</source>
        <translation>rechnet in %1</translation>
    </message>
    <message>
        <source>all on the host</source>
        <translation>alles auf dem Host</translation>
    </message>
    <message>
        <source>Si&amp;mulate</source>
        <translation>Simul&amp;ieren</translation>
    </message>
    <message>
        <source>Which PIM</source>
        <translation>Welches PIM</translation>
    </message>
    <message>
        <source>Machines, the first on top</source>
        <translation>Maschinen, die erste zuoberst</translation>
    </message>
    <message>
        <source>Which machine is first</source>
        <translation>Welche Maschine die erste ist</translation>
    </message>
    <message>
        <source>As it is, at many sizes, or otherwise</source>
        <translation>So wie es ist, bei vielen Größen, oder andernfalls</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Maschinen</translation>
    </message>
    <message>
        <source>Who Is First Where</source>
        <translation>Wer wo vorn liegt</translation>
    </message>
    <message>
        <source>What Decides</source>
        <translation>Was entscheidet</translation>
    </message>
    <message>
        <source>what is compared is then machine and host together</source>
        <translation>verglichen werden dann Maschine und Host zusammen</translation>
    </message>
    <message>
        <source>The host of all machines: else it decides the race</source>
        <translation>Der Host aller Maschinen: Sonst entscheidet er das Rennen</translation>
    </message>
    <message>
        <source>Machines of all families, or of one</source>
        <translation>Maschinen aller Familien oder einer</translation>
    </message>
    <message>
        <source>What the order goes by: one request after the other, a stream of them, or the first one, with bringing in the weights</source>
        <translation>Wonach die Ordnung geht: eine Anfrage nach der anderen, ein Strom davon, oder die erste, samt Hineinbringen der Gewichte</translation>
    </message>
    <message>
        <source>Run each plan in time; without it all times are predicted, which is quicker</source>
        <translation>Jeden Plan in der Zeit ausführen; ohne dies sind alle Zeiten vorhergesagt, was schneller geht</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>Order by</source>
        <translation>Ordnen nach</translation>
    </message>
    <message>
        <source>Asking every machine</source>
        <translation>Jede Maschine wird gefragt</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>%1 mm²</source>
        <translation>%1 mm²</translation>
    </message>
    <message>
        <source>S&amp;top</source>
        <translation>A&amp;nhalten</translation>
    </message>
    <message>
        <source>&amp;Ask Every Machine</source>
        <translation>&amp;Jede Maschine fragen</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>Nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Asking …</source>
        <translation>Wird gefragt …</translation>
    </message>
    <message>
        <source>Machines appear here as they answer.</source>
        <translation>Hier erscheinen Maschinen, sobald sie antworten.</translation>
    </message>
    <message>
        <source>Which machine is the fastest?</source>
        <translation>Welche Maschine ist die schnellste?</translation>
    </message>
    <message>
        <source>Asks every machine there is how long it takes for this network, all with the same host.</source>
        <translation>Fragt jede Maschine, die es gibt, wie lange sie für dieses Netz braucht, alle mit demselben Host.</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>Öffnen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>No PIM has answered yet.</source>
        <translation>Noch kein PIM hat geantwortet.</translation>
    </message>
    <message>
        <source>No PIM takes this network.</source>
        <translation>Kein PIM nimmt dieses Netz.</translation>
    </message>
    <message>
        <source>First PIM: &lt;b&gt;%1&lt;/b&gt;, %2</source>
        <translation>Erstes PIM: &lt;b&gt;%1&lt;/b&gt;, %2</translation>
    </message>
    <message>
        <source>, %1 over its host alone</source>
        <translation>, %1 gegenüber seinem Host allein</translation>
    </message>
    <message>
        <source> · first without: %1, %2</source>
        <translation> · Erste ohne PIM: %1, %2</translation>
    </message>
    <message>
        <source> · %1 of %2 machines have answered</source>
        <translation> · %1 von %2 Maschinen haben geantwortet</translation>
    </message>
    <message>
        <source> · stopped: %1</source>
        <translation> · angehalten: %1</translation>
    </message>
</context>
<context>
    <name>pim::views::WinnerMapView</name>
    <message>
        <source>&amp;Hosts Too</source>
        <translation>Auch Host&amp;s</translation>
    </message>
    <message>
        <source>&amp;Compare Sizes</source>
        <translation>&amp;Größen vergleichen</translation>
    </message>
    <message>
        <source>Who is first where</source>
        <translation>Wer wo vorn liegt</translation>
    </message>
    <message>
        <source>Sizes to compare</source>
        <translation>Zu vergleichende Größen</translation>
    </message>
    <message>
        <source>seq=32..512;batch=1,4</source>
        <translation>seq=32..512;batch=1,4</translation>
    </message>
    <message>
        <source>One or two open dimensions and their sizes, ascending: seq=32,64,128, or seq=32..512 for doubling; the second after a ;</source>
        <translation>Eine oder zwei offene Dimensionen mit aufsteigenden Größen: seq=32,64,128, oder seq=32..512 zum Verdoppeln; die zweite nach einem ;</translation>
    </message>
    <message>
        <source>Hosts and GPUs without PIM take part</source>
        <translation>Hosts und GPUs ohne PIM nehmen teil</translation>
    </message>
    <message>
        <source>The first machine for each size</source>
        <translation>Die erste Maschine für jede Größe</translation>
    </message>
    <message>
        <source>Si&amp;zes</source>
        <translation>Gr&amp;ößen</translation>
    </message>
    <message>
        <source>Open a model first.</source>
        <translation>Öffnen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>All sizes of this model are fixed: there is nothing to vary.</source>
        <translation>Alle Größen dieses Modells sind fest: Es gibt nichts zu ändern.</translation>
    </message>
    <message>
        <source>Which machine is first may change with the sizes. Each is asked for all of them.</source>
        <translation>Welche Maschine die erste ist, kann sich mit den Größen ändern. Jede wird nach allen gefragt.</translation>
    </message>
    <message>
        <source>Asking …</source>
        <translation>Wird gefragt …</translation>
    </message>
    <message>
        <source>Comparing sizes</source>
        <translation>Größen werden verglichen</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>first</source>
        <translation>erste</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1, then %2, slower by %3</source>
        <translation>%1, dann %2, um %3 langsamer</translation>
    </message>
    <message>
        <source>%1 takes over from %2 at %3 %4%5</source>
        <translation>%1 löst %2 ab bei %3 %4%5</translation>
    </message>
    <message>
        <source> (%1 %2)</source>
        <translation> (%1 %2)</translation>
    </message>
    <message>
        <source>No machine takes over from another along %1.</source>
        <translation>Entlang %1 löst keine Maschine eine andere ab.</translation>
    </message>
</context>
<context>
    <name>pim::views::Workspace</name>
    <message>
        <source>Run %1 cannot be opened: no project is open</source>
        <translation>Lauf %1 lässt sich nicht öffnen: es ist kein Projekt geöffnet</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>The model has changed since %1 was made: its figures may differ</source>
        <translation>Das Modell hat sich geändert, seit %1 gemacht wurde: Zahlen können abweichen</translation>
    </message>
    <message>
        <source>There is nothing to save yet: open a model first</source>
        <translation>Noch gibt es nichts zu speichern: Öffnen Sie zuerst ein Modell</translation>
    </message>
    <message>
        <source>The project is read-only here: save it under another name</source>
        <translation>Das Projekt ist hier schreibgeschützt: Speichern Sie es unter einem anderen Namen</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>%1 wird gespeichert</translation>
    </message>
    <message>
        <source>There is nothing to export yet: open a model first</source>
        <translation>Noch gibt es nichts zu exportieren: Öffnen Sie zuerst ein Modell</translation>
    </message>
    <message>
        <source>Exporting bundle</source>
        <translation>Bundle wird exportiert</translation>
    </message>
    <message>
        <source>Bundle written to %1</source>
        <translation>Bundle nach %1 geschrieben</translation>
    </message>
    <message>
        <source>There is nothing to report yet: open a model first</source>
        <translation>Noch gibt es nichts zu berichten: Öffnen Sie zuerst ein Modell</translation>
    </message>
    <message>
        <source>Writing report</source>
        <translation>Bericht wird geschrieben</translation>
    </message>
    <message>
        <source>Report written to %1</source>
        <translation>Bericht nach %1 geschrieben</translation>
    </message>
    <message>
        <source>Switch target to %1</source>
        <translation>Ziel auf %1 wechseln</translation>
    </message>
    <message>
        <source>Switch target to %1 with host %2</source>
        <translation>Ziel auf %1 mit Host %2 wechseln</translation>
    </message>
    <message>
        <source>Reset dimensions</source>
        <translation>Dimensionen zurücksetzen</translation>
    </message>
    <message>
        <source>Bind %1</source>
        <translation>%1 festlegen</translation>
    </message>
    <message>
        <source>Change passes</source>
        <translation>Passes ändern</translation>
    </message>
    <message>
        <source>Change options of %1</source>
        <translation>Optionen von %1 ändern</translation>
    </message>
    <message>
        <source>Change options</source>
        <translation>Optionen ändern</translation>
    </message>
    <message>
        <source>the whole network</source>
        <translation>das ganze Netz</translation>
    </message>
    <message>
        <source>Reset %1 of %2</source>
        <translation>%1 von %2 zurücksetzen</translation>
    </message>
    <message>
        <source>Take over the new names of ops</source>
        <translation>Die neuen Namen der Ops übernehmen</translation>
    </message>
    <message>
        <source>the timeline</source>
        <translation>die Zeitleiste</translation>
    </message>
    <message>
        <source>Add note on %1</source>
        <translation>Notiz zu %1 hinzufügen</translation>
    </message>
    <message>
        <source>Edit note</source>
        <translation>Notiz bearbeiten</translation>
    </message>
    <message>
        <source>Remove note</source>
        <translation>Notiz entfernen</translation>
    </message>
    <message>
        <source>A variant needs a name</source>
        <translation>Eine Variante braucht einen Namen</translation>
    </message>
    <message>
        <source>There is a variant &quot;%1&quot; already</source>
        <translation>Es gibt schon eine Variante „%1“</translation>
    </message>
    <message>
        <source>Branch variant %1</source>
        <translation>Variante %1 abzweigen</translation>
    </message>
    <message>
        <source>Switch to variant %1</source>
        <translation>Zu Variante %1 wechseln</translation>
    </message>
    <message>
        <source>Rename variant %1 to %2</source>
        <translation>Variante %1 in %2 umbenennen</translation>
    </message>
    <message>
        <source>The variant in force cannot be deleted: switch to another one first</source>
        <translation>Die geltende Variante kann nicht gelöscht werden: Wechseln Sie zuerst zu einer anderen</translation>
    </message>
    <message>
        <source>Delete variant %1</source>
        <translation>Variante %1 löschen</translation>
    </message>
    <message>
        <source>An internal error stopped &quot;%1&quot;</source>
        <translation>Ein interner Fehler hat „%1“ beendet</translation>
    </message>
    <message>
        <source>Planning %1 on %2</source>
        <translation>%1 wird auf %2 geplant</translation>
    </message>
    <message>
        <source>One decision does not fit this model and target: it is kept, but not in the plan</source>
        <translation>Eine Entscheidung passt nicht zu diesem Modell und Ziel: Sie bleibt erhalten, ist aber nicht im Plan</translation>
    </message>
    <message>
        <source>%1 decisions do not fit this model and target: they are kept, but not in the plan</source>
        <translation>%1 Entscheidungen passen nicht zu diesem Modell und Ziel: Sie bleiben erhalten, sind aber nicht im Plan</translation>
    </message>
    <message>
        <source>%1 best drafts in the project cannot be what a search found: they were looked for again</source>
        <translation>%1 beste Entwürfe im Projekt können nicht das Ergebnis einer Suche sein: Sie wurden neu gesucht</translation>
    </message>
    <message>
        <source>Saving drafts</source>
        <translation>Entwürfe werden gespeichert</translation>
    </message>
    <message>
        <source>Clearing drafts</source>
        <translation>Entwürfe werden gelöscht</translation>
    </message>
    <message>
        <source>Saving run</source>
        <translation>Lauf wird gespeichert</translation>
    </message>
</context>
</TS>
